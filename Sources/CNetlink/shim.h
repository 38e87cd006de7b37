// The kernel's words about network interfaces and routes, and the event by which a thread that waits for them is woken.
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/eventfd.h>

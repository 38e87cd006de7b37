// What Swift's C library does not show of the kernel: waiting for many descriptors, waking a thread, network interfaces and routes.
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

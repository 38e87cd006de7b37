#include <libheif/heif.h>
#include <libde265/de265.h>

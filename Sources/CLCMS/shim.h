#include <lcms2.h>

/// How pixels of `bytes` bytes a channel lie in memory; the macros that say it are none that Swift imports.
static inline cmsUInt32Number magpie_lcms_layout(cmsUInt32Number space, cmsUInt32Number channels, cmsUInt32Number extra,
                                                 cmsUInt32Number bytes, cmsUInt32Number is_inverted) {
    return COLORSPACE_SH(space) | CHANNELS_SH(channels) | EXTRA_SH(extra) | BYTES_SH(bytes) | FLAVOR_SH(is_inverted);
}

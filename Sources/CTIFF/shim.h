#include <tiffio.h>

// libtiff reads and writes fields by variable arguments, which Swift cannot pass.

static inline int magpie_tiff_get(TIFF *tiff, uint32_t tag, void *value) {
    return TIFFGetFieldDefaulted(tiff, tag, value);
}

static inline int magpie_tiff_get_array(TIFF *tiff, uint32_t tag, void *count, void *values) {
    return TIFFGetFieldDefaulted(tiff, tag, count, values);
}

static inline int magpie_tiff_set(TIFF *tiff, uint32_t tag, uint32_t value) {
    return TIFFSetField(tiff, tag, value);
}

static inline int magpie_tiff_set_array(TIFF *tiff, uint32_t tag, uint32_t count, const void *values) {
    return TIFFSetField(tiff, tag, count, values);
}

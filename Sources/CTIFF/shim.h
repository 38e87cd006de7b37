#include <stdio.h>
#include <tiffio.h>

// libtiff reads and writes fields, and tells of errors, by variable arguments, which Swift cannot pass.

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

enum { magpie_tiff_message_size = 256 };

/// Keeps the first message of a file; `text` has `magpie_tiff_message_size` bytes.
static inline int magpie_tiff_keep_message(
    TIFF *tiff, void *text, const char *module, const char *format, va_list arguments) {
    if (*(char *)text == 0) vsnprintf(text, magpie_tiff_message_size, format, arguments);
    return 1;
}

static inline int magpie_tiff_drop_message(
    TIFF *tiff, void *text, const char *module, const char *format, va_list arguments) {
    return 1;
}

#include "CMagpiePNG.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct magpie_png_reader {
    png_structp png;
    png_infop info;
    magpie_png_row_taker take_row;
    void *context;
    uint8_t *canvas;
    size_t canvas_stride;
    uint32_t canvas_rows;
    int channels;
    bool keeps_16_bits;
    bool has_all_rows;
    char message[128];
};

struct magpie_png_writer {
    png_structp png;
    png_infop info;
    uint8_t *bytes;
    size_t count, capacity;
    char message[128];
};

static void write_bytes(png_structp png, png_bytep source, size_t count) {
    magpie_png_writer *writer = png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) {
        size_t capacity = 2 * writer->capacity + count + 65536;
        uint8_t *bytes = realloc(writer->bytes, capacity);
        if (!bytes) png_error(png, "out of memory");
        writer->bytes = bytes;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, source, count);
    writer->count += count;
}

static void flush_nothing(png_structp png) { (void)png; }

// The error pointer of either object is the 128 bytes for its message.
static void jump_out(png_structp png, png_const_charp message) {
    snprintf(png_get_error_ptr(png), 128, "%s", message);
    png_longjmp(png, 1);
}

static void stay_silent(png_structp png, png_const_charp message) { (void)png; (void)message; }

static bool is_little_endian(void) { return *(const uint8_t *)&(uint16_t){1} == 1; }

static void begin_picture(png_structp png, png_infop info) {
    magpie_png_reader *reader = png_get_progressive_ptr(png);
    bool is_deep = reader->keeps_16_bits && png_get_bit_depth(png, info) == 16;
    png_set_expand(png);
    if (!is_deep) png_set_scale_16(png);
    else if (is_little_endian()) png_set_swap(png);
    png_set_gray_to_rgb(png);
    if (png_get_interlace_type(png, info) != PNG_INTERLACE_NONE) png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    reader->channels = png_get_channels(png, info);
    if (png_get_rowbytes(png, info) != (size_t)png_get_image_width(png, info) * (size_t)reader->channels * (is_deep ? 2 : 1))
        png_error(png, "rows of an unexpected size");
}

static void take_row(png_structp png, png_bytep row, png_uint_32 number, int pass) {
    magpie_png_reader *reader = png_get_progressive_ptr(png);
    bool is_interlaced = png_get_interlace_type(png, reader->info) != PNG_INTERLACE_NONE;
    uint32_t height = png_get_image_height(png, reader->info);
    // The last pass holds every other row.
    if (is_interlaced ? pass == 6 && number + 2 >= height : number + 1 == height) reader->has_all_rows = true;
    if (!row) return;
    if (!is_interlaced) return reader->take_row(reader->context, row);
    if (!reader->canvas) return;
    png_progressive_combine_row(png, reader->canvas + number * reader->canvas_stride, row);
    if (number >= reader->canvas_rows) reader->canvas_rows = number + 1;
}

static void end_picture(png_structp png, png_infop info) { (void)png; (void)info; }

magpie_png_reader *magpie_png_open(size_t chunk_limit, magpie_png_row_taker row_taker, void *context) {
    magpie_png_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->take_row = row_taker;
    reader->context = context;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader->message, jump_out, stay_silent);
    if (!reader->png || setjmp(png_jmpbuf(reader->png))) { magpie_png_close(reader); return NULL; }
    reader->info = png_create_info_struct(reader->png);
    if (!reader->info) { magpie_png_close(reader); return NULL; }
    png_set_progressive_read_fn(reader->png, reader, begin_picture, take_row, end_picture);
    png_set_user_limits(reader->png, 0x7fffffff, 0x7fffffff);
    png_set_chunk_malloc_max(reader->png, chunk_limit);
    png_set_benign_errors(reader->png, 1);
    return reader;
}

bool magpie_png_push(magpie_png_reader *reader, const uint8_t *bytes, size_t count) {
    if (setjmp(png_jmpbuf(reader->png))) return false;
    png_process_data(reader->png, reader->info, (png_bytep)bytes, count);
    return true;
}

void magpie_png_keep_16_bits(magpie_png_reader *reader) { reader->keeps_16_bits = true; }

int magpie_png_channels(const magpie_png_reader *reader) { return reader->channels; }

void magpie_png_set_canvas(magpie_png_reader *reader, uint8_t *canvas, size_t bytes_per_row) {
    reader->canvas = canvas;
    reader->canvas_stride = bytes_per_row;
}

uint32_t magpie_png_canvas_rows(const magpie_png_reader *reader) { return reader->canvas_rows; }
bool magpie_png_has_all_rows(const magpie_png_reader *reader) { return reader->has_all_rows; }

bool magpie_png_profile(magpie_png_reader *reader, const uint8_t **bytes, size_t *count) {
    png_charp name;
    png_bytep profile;
    png_uint_32 length;
    int method;
    if (setjmp(png_jmpbuf(reader->png))) return false;
    if (!png_get_iCCP(reader->png, reader->info, &name, &method, &profile, &length)) return false;
    *bytes = profile;
    *count = length;
    return true;
}

const char *magpie_png_message(const magpie_png_reader *reader) { return reader->message; }

void magpie_png_close(magpie_png_reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

magpie_png_writer *magpie_png_create(void) {
    magpie_png_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer->message, jump_out, stay_silent);
    if (!writer->png || setjmp(png_jmpbuf(writer->png))) { magpie_png_destroy(writer); return NULL; }
    writer->info = png_create_info_struct(writer->png);
    if (!writer->info) { magpie_png_destroy(writer); return NULL; }
    png_set_write_fn(writer->png, writer, write_bytes, flush_nothing);
    png_set_user_limits(writer->png, 0x7fffffff, 0x7fffffff);
    return writer;
}

bool magpie_png_write_header(magpie_png_writer *writer, uint32_t width, uint32_t height, int depth, bool alpha, int level,
                             int filters, const uint8_t *profile, uint32_t profile_count) {
    if (setjmp(png_jmpbuf(writer->png))) return false;
    png_set_IHDR(writer->png, writer->info, width, height, depth, alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(writer->png, level);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, filters);
    png_set_benign_errors(writer->png, 1);
    if (profile) png_set_iCCP(writer->png, writer->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, profile, profile_count);
    png_write_info(writer->png, writer->info);
    if (depth == 16 && is_little_endian()) png_set_swap(writer->png);
    if (!alpha) png_set_filler(writer->png, 0, PNG_FILLER_AFTER);
    return true;
}

bool magpie_png_set_exif(magpie_png_writer *writer, const uint8_t *exif, uint32_t count) {
    if (setjmp(png_jmpbuf(writer->png))) return false;
    png_set_eXIf_1(writer->png, writer->info, count, (png_bytep)exif);
    return true;
}

bool magpie_png_set_xmp(magpie_png_writer *writer, const char *xmp) {
    if (setjmp(png_jmpbuf(writer->png))) return false;
    png_text text = {.compression = PNG_ITXT_COMPRESSION_NONE, .key = "XML:com.adobe.xmp", .text = (char *)xmp,
                     .itxt_length = strlen(xmp)};
    png_set_text(writer->png, writer->info, &text, 1);
    return true;
}

bool magpie_png_write_row(magpie_png_writer *writer, const uint8_t *row) {
    if (setjmp(png_jmpbuf(writer->png))) return false;
    png_write_row(writer->png, row);
    return true;
}

bool magpie_png_end(magpie_png_writer *writer, const uint8_t **bytes, size_t *count) {
    if (setjmp(png_jmpbuf(writer->png))) return false;
    png_write_end(writer->png, writer->info);
    *bytes = writer->bytes;
    *count = writer->count;
    return true;
}

const char *magpie_png_writer_message(const magpie_png_writer *writer) { return writer->message; }

void magpie_png_destroy(magpie_png_writer *writer) {
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->bytes);
    free(writer);
}

#include "CMagpiePNG.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct magpie_png_reader {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t left;
    bool ended_early;
    bool is_over;
    char message[128];
};

struct magpie_png_writer {
    png_structp png;
    png_infop info;
    uint8_t *bytes;
    size_t count, capacity;
    char message[128];
};

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    magpie_png_reader *reader = png_get_io_ptr(png);
    if (count > reader->left) {
        reader->ended_early = true;
        png_error(png, "the data ends too early");
    }
    memcpy(target, reader->bytes, count);
    reader->bytes += count;
    reader->left -= count;
}

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

magpie_png_reader *magpie_png_open(const uint8_t *bytes, size_t count, size_t chunk_limit) {
    // Text and other chunks that pixels do not need are skipped unread, so that they cannot inflate.
    static const png_byte skipped[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0pCAL\0sCAL\0tIME\0pHYs\0oFFs\0gAMA\0cHRM\0eXIf\0bKGD\0sBIT";
    magpie_png_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->left = count;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader->message, jump_out, stay_silent);
    if (!reader->png || setjmp(png_jmpbuf(reader->png))) { magpie_png_close(reader); return NULL; }
    reader->info = png_create_info_struct(reader->png);
    if (!reader->info) { magpie_png_close(reader); return NULL; }
    png_set_read_fn(reader->png, reader, read_bytes);
    png_set_user_limits(reader->png, 0x7fffffff, 0x7fffffff);
    png_set_chunk_malloc_max(reader->png, chunk_limit);
    // Of a file that is cut off, libpng loses what it would have put into one buffer; its own default is 8 KiB.
    png_set_compression_buffer_size(reader->png, 1024);
    png_set_benign_errors(reader->png, 1);
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, skipped, sizeof skipped / 5);
    return reader;
}

bool magpie_png_start(magpie_png_reader *reader, int *passes) {
    if (setjmp(png_jmpbuf(reader->png))) return false;
    png_read_info(reader->png, reader->info);
    png_set_expand(reader->png);
    png_set_scale_16(reader->png);
    png_set_gray_to_rgb(reader->png);
    png_set_add_alpha(reader->png, 0xff, PNG_FILLER_AFTER);
    *passes = png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    return png_get_rowbytes(reader->png, reader->info) == (size_t)png_get_image_width(reader->png, reader->info) * 4;
}

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

static bool read_row(magpie_png_reader *reader, uint8_t *row) {
    if (setjmp(png_jmpbuf(reader->png))) return false;
    png_read_row(reader->png, row, NULL);
    return true;
}

bool magpie_png_read_row(magpie_png_reader *reader, uint8_t *row, bool is_last) {
    if (reader->is_over) return true;
    // With the last row libpng inflates all that is left, however much. No row needs more input than this.
    size_t enough = 2 * png_get_rowbytes(reader->png, reader->info) + 65536;
    size_t withheld = reader->left > enough ? reader->left - enough : 0;
    reader->left -= withheld;
    bool is_read = read_row(reader, row);
    reader->left += withheld;
    if (is_read || !withheld || !is_last || !reader->ended_early) return is_read;
    reader->ended_early = false;
    return reader->is_over = true;
}

bool magpie_png_finish(magpie_png_reader *reader) {
    if (reader->is_over) return true;
    if (setjmp(png_jmpbuf(reader->png))) return false;
    png_read_end(reader->png, NULL);
    return true;
}

bool magpie_png_ended_early(const magpie_png_reader *reader) { return reader->ended_early; }
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

bool magpie_png_write_header(magpie_png_writer *writer, uint32_t width, uint32_t height, bool alpha, int level, int filters,
                             const uint8_t *profile, uint32_t profile_count) {
    if (setjmp(png_jmpbuf(writer->png))) return false;
    png_set_IHDR(writer->png, writer->info, width, height, 8, alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(writer->png, level);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, filters);
    png_set_benign_errors(writer->png, 1);
    if (profile) png_set_iCCP(writer->png, writer->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, profile, profile_count);
    png_write_info(writer->png, writer->info);
    if (!alpha) png_set_filler(writer->png, 0, PNG_FILLER_AFTER);
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

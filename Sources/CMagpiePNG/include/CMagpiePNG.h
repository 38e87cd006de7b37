#ifndef CMAGPIEPNG_H
#define CMAGPIEPNG_H

// libpng reports errors by a function that must not return. Each function here sets a jump target, makes the libpng calls
// of one step, and turns a jump into a false or a null; `magpie_png_message` then says why.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <png.h>

typedef struct magpie_png_reader magpie_png_reader;

/// What gets the rows of a picture that is not interlaced, from the top, in the order of the file.
typedef void (*magpie_png_row_taker)(void *context, const uint8_t *row);

/// Begins a file. `chunk_limit` bounds the memory that one chunk may inflate to.
magpie_png_reader *magpie_png_open(size_t chunk_limit, magpie_png_row_taker take_row, void *context);
/// Works on the next bytes, whole chunks or parts of them.
bool magpie_png_push(magpie_png_reader *reader, const uint8_t *bytes, size_t count);
/// Asks, before the head of the first IDAT chunk, for 16 bits a channel, in host order, where the file has them.
void magpie_png_keep_16_bits(magpie_png_reader *reader);
/// Channels of the rows that come: 3, or 4 with alpha; 0 before the head of the first IDAT chunk.
int magpie_png_channels(const magpie_png_reader *reader);
/// Where an interlaced picture is put together, with 4 channels; each pass but the last is shown in blocks.
void magpie_png_set_canvas(magpie_png_reader *reader, uint8_t *canvas, size_t bytes_per_row);
/// How many rows of the canvas have something in them.
uint32_t magpie_png_canvas_rows(const magpie_png_reader *reader);
/// Whether all rows have come, in all passes.
bool magpie_png_has_all_rows(const magpie_png_reader *reader);
/// The ICC profile, owned by the reader; false where there is none.
bool magpie_png_profile(magpie_png_reader *reader, const uint8_t **bytes, size_t *count);
const char *magpie_png_message(const magpie_png_reader *reader);
void magpie_png_close(magpie_png_reader *reader);

typedef struct magpie_png_writer magpie_png_writer;

magpie_png_writer *magpie_png_create(void);
/// What a file of either kind shall say beside its pixels; to be called before it is begun.
bool magpie_png_set_exif(magpie_png_writer *writer, const uint8_t *exif, uint32_t count);
bool magpie_png_set_xmp(magpie_png_writer *writer, const char *xmp);
/// Begins a file of RGB or RGBA rows of 4 channels (for RGB the fourth is dropped) of 8 or, in host order, 16 bits; `profile` may be null.
bool magpie_png_write_header(magpie_png_writer *writer, uint32_t width, uint32_t height, int depth, bool alpha, int level,
                             int filters, const uint8_t *profile, uint32_t profile_count);
bool magpie_png_write_row(magpie_png_writer *writer, const uint8_t *row);
/// Ends the file. The bytes belong to the writer.
bool magpie_png_end(magpie_png_writer *writer, const uint8_t **bytes, size_t *count);
const char *magpie_png_writer_message(const magpie_png_writer *writer);
void magpie_png_destroy(magpie_png_writer *writer);

#endif

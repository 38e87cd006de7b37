#ifndef CMAGPIEPNG_H
#define CMAGPIEPNG_H

// libpng reports errors by a function that must not return. Each function here sets a jump target, makes the libpng calls
// of one step, and turns a jump into a false or a null; `magpie_png_message` then says why.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <png.h>

typedef struct magpie_png_reader magpie_png_reader;

/// Opens a file that lies in memory and must stay there. `chunk_limit` bounds the memory that one chunk may inflate to.
magpie_png_reader *magpie_png_open(const uint8_t *bytes, size_t count, size_t chunk_limit);
/// Reads up to the picture's data and asks for rows of RGBA, 8 bits a channel. `passes` is 1, or 7 where interlaced.
bool magpie_png_start(magpie_png_reader *reader, int *passes);
/// The ICC profile, owned by the reader; false where there is none.
bool magpie_png_profile(magpie_png_reader *reader, const uint8_t **bytes, size_t *count);
/// Reads a row, or in a later pass of an interlaced picture completes one. After a row that may be the last, surplus data
/// is left unread.
bool magpie_png_read_row(magpie_png_reader *reader, uint8_t *row, bool is_last);
bool magpie_png_finish(magpie_png_reader *reader);
/// Whether the file came to an end where libpng wanted more.
bool magpie_png_ended_early(const magpie_png_reader *reader);
const char *magpie_png_message(const magpie_png_reader *reader);
void magpie_png_close(magpie_png_reader *reader);

typedef struct magpie_png_writer magpie_png_writer;

magpie_png_writer *magpie_png_create(void);
/// Begins a file of RGB or RGBA rows of 4 bytes a pixel (for RGB the fourth is dropped); `profile` may be null.
bool magpie_png_write_header(magpie_png_writer *writer, uint32_t width, uint32_t height, bool alpha, int level, int filters,
                             const uint8_t *profile, uint32_t profile_count);
bool magpie_png_write_row(magpie_png_writer *writer, const uint8_t *row);
/// Ends the file. The bytes belong to the writer.
bool magpie_png_end(magpie_png_writer *writer, const uint8_t **bytes, size_t *count);
const char *magpie_png_writer_message(const magpie_png_writer *writer);
void magpie_png_destroy(magpie_png_writer *writer);

#endif

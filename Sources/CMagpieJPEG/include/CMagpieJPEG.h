#ifndef CMAGPIEJPEG_H
#define CMAGPIEJPEG_H

// libjpeg reports errors by a function that must not return. Each function here sets a jump target, makes one call (or
// the calls of one step) of libjpeg, and turns a jump into a false or a null; `magpie_jpeg_message` then says why.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <jpeglib.h>

typedef struct magpie_jpeg_reader magpie_jpeg_reader;

/// What came of a step. One that is suspended wants more bytes, and is then to be made again.
typedef enum { MAGPIE_JPEG_FAILED, MAGPIE_JPEG_DONE, MAGPIE_JPEG_SUSPENDED } magpie_jpeg_status;

/// Begins a file. `memory_limit` bounds libjpeg's own memory, `scan_limit` the scans.
magpie_jpeg_reader *magpie_jpeg_open(long memory_limit, int scan_limit);
/// Hands bytes in, for the steps until the next call: those that were left unread, and the new ones behind them.
void magpie_jpeg_feed(magpie_jpeg_reader *reader, const uint8_t *bytes, size_t count, bool is_last);
/// How many of these bytes, at their end, are still needed.
size_t magpie_jpeg_unread(const magpie_jpeg_reader *reader);
/// Reads up to the picture's data. The fields of `magpie_jpeg_info` may then be read and set.
magpie_jpeg_status magpie_jpeg_read_header(magpie_jpeg_reader *reader);
/// libjpeg's own object, for its parameters.
struct jpeg_decompress_struct *magpie_jpeg_info(magpie_jpeg_reader *reader);
/// Begins the picture. One of several scans is then read by `magpie_jpeg_read_scans` and put out in passes.
magpie_jpeg_status magpie_jpeg_start(magpie_jpeg_reader *reader);
magpie_jpeg_status magpie_jpeg_read_row(magpie_jpeg_reader *reader, uint8_t *row);
/// Reads to the end of the file, and keeps the coefficients.
magpie_jpeg_status magpie_jpeg_read_scans(magpie_jpeg_reader *reader);
/// Begins to put the rows out as they are after the scan; they come as far as the scan itself has come.
magpie_jpeg_status magpie_jpeg_start_pass(magpie_jpeg_reader *reader, int scan);
magpie_jpeg_status magpie_jpeg_finish_pass(magpie_jpeg_reader *reader);
/// Reads to the end of the file, so that damage behind the last row is seen too.
magpie_jpeg_status magpie_jpeg_finish(magpie_jpeg_reader *reader);
/// Warnings that mean lost picture data, and the output row at which the first of them came.
int magpie_jpeg_losses(const magpie_jpeg_reader *reader);
int magpie_jpeg_first_lossy_row(const magpie_jpeg_reader *reader);
/// Whether the data came to an end before the end marker did.
bool magpie_jpeg_ended_early(const magpie_jpeg_reader *reader);
/// The error, or else the first warning that means lost data.
const char *magpie_jpeg_message(const magpie_jpeg_reader *reader);
void magpie_jpeg_close(magpie_jpeg_reader *reader);

typedef struct magpie_jpeg_writer magpie_jpeg_writer;

magpie_jpeg_writer *magpie_jpeg_create(void);
/// Begins a file of rows of red, green, blue and a fourth byte that does not count; `profile` may be null.
bool magpie_jpeg_write_header(magpie_jpeg_writer *writer, int width, int height, int quality, const uint8_t *profile,
                              unsigned int profile_count);
bool magpie_jpeg_write_row(magpie_jpeg_writer *writer, const uint8_t *row);
/// Ends the file. The bytes belong to the writer.
bool magpie_jpeg_end(magpie_jpeg_writer *writer, const uint8_t **bytes, size_t *count);
const char *magpie_jpeg_writer_message(const magpie_jpeg_writer *writer);
void magpie_jpeg_destroy(magpie_jpeg_writer *writer);

#endif

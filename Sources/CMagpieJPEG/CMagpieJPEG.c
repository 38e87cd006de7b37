#include "CMagpieJPEG.h"

#include <jerror.h>
#include <setjmp.h>
#include <stdlib.h>

typedef struct {
    struct jpeg_error_mgr base;  // first: libjpeg knows only this part
    jmp_buf target;
    char message[JMSG_LENGTH_MAX];
    int losses;
    int first_lossy_row;
    bool ended_early;
} error_manager;

struct magpie_jpeg_reader {
    struct jpeg_decompress_struct info;
    error_manager errors;
    struct jpeg_source_mgr source;
    size_t to_skip;
    bool is_last;
    int scan_limit;
};

struct magpie_jpeg_writer {
    struct jpeg_compress_struct info;
    error_manager errors;
    unsigned char *bytes;
    unsigned long count;
};

static void jump_out(j_common_ptr common) {
    error_manager *errors = (error_manager *)common->err;
    common->err->format_message(common, errors->message);
    longjmp(errors->target, 1);
}

static void note_warning(j_common_ptr common, int level) {
    error_manager *errors = (error_manager *)common->err;
    if (level >= 0) return;
    switch (common->err->msg_code) {
    case JWRN_JPEG_EOF:  // alone it may mean no more than a missing end marker
        errors->ended_early = true;
        break;
    case JWRN_HIT_MARKER: case JWRN_HUFF_BAD_CODE: case JWRN_ARITH_BAD_CODE: case JWRN_MUST_RESYNC:
        if (errors->losses++ > 0) return;
        errors->first_lossy_row = (int)((j_decompress_ptr)common)->output_scanline;
        common->err->format_message(common, errors->message);
    }
}

static void stay_silent(j_common_ptr common) { (void)common; }

static struct jpeg_error_mgr *set_up(error_manager *errors) {
    jpeg_std_error(&errors->base);
    errors->base.error_exit = jump_out;
    errors->base.emit_message = note_warning;
    errors->base.output_message = stay_silent;
    return &errors->base;
}

static void begin_source(j_decompress_ptr info) { (void)info; }

// info is the first member of the reader.
static boolean fill_source(j_decompress_ptr info) {
    static const JOCTET end[] = {0xff, JPEG_EOI};
    if (!((magpie_jpeg_reader *)info)->is_last) return FALSE;
    WARNMS(info, JWRN_JPEG_EOF);
    info->src->next_input_byte = end;
    info->src->bytes_in_buffer = sizeof end;
    return TRUE;
}

static void skip_in_source(j_decompress_ptr info, long count) {
    magpie_jpeg_reader *reader = (magpie_jpeg_reader *)info;
    if (count <= 0) return;
    size_t here = (size_t)count < info->src->bytes_in_buffer ? (size_t)count : info->src->bytes_in_buffer;
    info->src->next_input_byte += here;
    info->src->bytes_in_buffer -= here;
    reader->to_skip = (size_t)count - here;
}

magpie_jpeg_reader *magpie_jpeg_open(long memory_limit, int scan_limit) {
    magpie_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->info.err = set_up(&reader->errors);
    if (setjmp(reader->errors.target)) { magpie_jpeg_close(reader); return NULL; }
    jpeg_create_decompress(&reader->info);
    reader->info.mem->max_memory_to_use = memory_limit;
    reader->scan_limit = scan_limit;
    reader->source.init_source = reader->source.term_source = begin_source;
    reader->source.fill_input_buffer = fill_source;
    reader->source.skip_input_data = skip_in_source;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->info.src = &reader->source;
    return reader;
}

void magpie_jpeg_feed(magpie_jpeg_reader *reader, const uint8_t *bytes, size_t count, bool is_last) {
    size_t skipped = reader->to_skip < count ? reader->to_skip : count;
    reader->to_skip -= skipped;
    reader->source.next_input_byte = bytes + skipped;
    reader->source.bytes_in_buffer = count - skipped;
    reader->is_last = is_last;
}

size_t magpie_jpeg_unread(const magpie_jpeg_reader *reader) {
    return reader->is_last ? 0 : reader->source.bytes_in_buffer;
}

struct jpeg_decompress_struct *magpie_jpeg_info(magpie_jpeg_reader *reader) { return &reader->info; }

static magpie_jpeg_status done_if(bool is_done) { return is_done ? MAGPIE_JPEG_DONE : MAGPIE_JPEG_SUSPENDED; }

magpie_jpeg_status magpie_jpeg_read_header(magpie_jpeg_reader *reader) {
    if (setjmp(reader->errors.target)) return MAGPIE_JPEG_FAILED;
    return done_if(jpeg_read_header(&reader->info, TRUE) == JPEG_HEADER_OK);
}

magpie_jpeg_status magpie_jpeg_start(magpie_jpeg_reader *reader) {
    if (setjmp(reader->errors.target)) return MAGPIE_JPEG_FAILED;
    reader->info.buffered_image = jpeg_has_multiple_scans(&reader->info);
    return done_if(jpeg_start_decompress(&reader->info));
}

magpie_jpeg_status magpie_jpeg_read_row(magpie_jpeg_reader *reader, uint8_t *row) {
    JSAMPROW rows[1] = {row};
    if (setjmp(reader->errors.target)) return MAGPIE_JPEG_FAILED;
    return done_if(jpeg_read_scanlines(&reader->info, rows, 1) == 1);
}

magpie_jpeg_status magpie_jpeg_read_scans(magpie_jpeg_reader *reader) {
    if (setjmp(reader->errors.target)) return MAGPIE_JPEG_FAILED;
    for (;;) {
        int event = jpeg_consume_input(&reader->info);
        if (event == JPEG_REACHED_EOI) return MAGPIE_JPEG_DONE;
        if (event == JPEG_SUSPENDED) return MAGPIE_JPEG_SUSPENDED;
        if (reader->info.input_scan_number > reader->scan_limit) {
            snprintf(reader->errors.message, sizeof reader->errors.message, "more than %d scans", reader->scan_limit);
            return MAGPIE_JPEG_FAILED;
        }
    }
}

magpie_jpeg_status magpie_jpeg_start_pass(magpie_jpeg_reader *reader, int scan) {
    if (setjmp(reader->errors.target)) return MAGPIE_JPEG_FAILED;
    return done_if(jpeg_start_output(&reader->info, scan));
}

magpie_jpeg_status magpie_jpeg_finish_pass(magpie_jpeg_reader *reader) {
    if (setjmp(reader->errors.target)) return MAGPIE_JPEG_FAILED;
    return done_if(jpeg_finish_output(&reader->info));
}

magpie_jpeg_status magpie_jpeg_finish(magpie_jpeg_reader *reader) {
    if (setjmp(reader->errors.target)) return MAGPIE_JPEG_FAILED;
    return done_if(jpeg_finish_decompress(&reader->info));
}

int magpie_jpeg_losses(const magpie_jpeg_reader *reader) { return reader->errors.losses; }
int magpie_jpeg_first_lossy_row(const magpie_jpeg_reader *reader) { return reader->errors.first_lossy_row; }
bool magpie_jpeg_ended_early(const magpie_jpeg_reader *reader) { return reader->errors.ended_early; }
const char *magpie_jpeg_message(const magpie_jpeg_reader *reader) { return reader->errors.message; }

void magpie_jpeg_close(magpie_jpeg_reader *reader) {
    jpeg_destroy_decompress(&reader->info);
    free(reader);
}

magpie_jpeg_writer *magpie_jpeg_create(void) {
    magpie_jpeg_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->info.err = set_up(&writer->errors);
    if (setjmp(writer->errors.target)) { magpie_jpeg_destroy(writer); return NULL; }
    jpeg_create_compress(&writer->info);
    jpeg_mem_dest(&writer->info, &writer->bytes, &writer->count);
    return writer;
}

bool magpie_jpeg_write_header(magpie_jpeg_writer *writer, int width, int height, int quality, const uint8_t *profile,
                              unsigned int profile_count) {
    if (setjmp(writer->errors.target)) return false;
    writer->info.image_width = (JDIMENSION)width;
    writer->info.image_height = (JDIMENSION)height;
    writer->info.input_components = 4;
    writer->info.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&writer->info);
    jpeg_set_quality(&writer->info, quality, TRUE);
    writer->info.optimize_coding = TRUE;
    jpeg_start_compress(&writer->info, TRUE);
    if (profile) jpeg_write_icc_profile(&writer->info, profile, profile_count);
    return true;
}

bool magpie_jpeg_write_row(magpie_jpeg_writer *writer, const uint8_t *row) {
    JSAMPROW rows[1] = {(JSAMPROW)row};
    if (setjmp(writer->errors.target)) return false;
    return jpeg_write_scanlines(&writer->info, rows, 1) == 1;
}

bool magpie_jpeg_end(magpie_jpeg_writer *writer, const uint8_t **bytes, size_t *count) {
    if (setjmp(writer->errors.target)) return false;
    jpeg_finish_compress(&writer->info);
    *bytes = writer->bytes;
    *count = writer->count;
    return true;
}

const char *magpie_jpeg_writer_message(const magpie_jpeg_writer *writer) { return writer->errors.message; }

void magpie_jpeg_destroy(magpie_jpeg_writer *writer) {
    jpeg_destroy_compress(&writer->info);
    free(writer->bytes);
    free(writer);
}

// What Swift cannot call or see by itself: variadic functions and macros.
#ifndef MAGPIE_CCURL_SHIM_H
#define MAGPIE_CCURL_SHIM_H

#include <curl/curl.h>

typedef size_t (*magpie_curl_data_callback)(char *, size_t, size_t, void *);

static inline CURLcode magpie_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode magpie_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode magpie_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode magpie_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode magpie_easy_set_data_callback(CURL *easy, CURLoption option, magpie_curl_data_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode magpie_easy_set_seek_callback(CURL *easy, int (*value)(void *, curl_off_t, int)) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode magpie_easy_set_open_callback(CURL *easy, int (*value)(void *, curl_socket_t, curlsocktype)) {
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, value);
}

static inline CURLcode magpie_easy_set_close_callback(CURL *easy, int (*value)(void *, curl_socket_t)) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

static inline CURLcode magpie_easy_set_ready_callback(CURL *easy, int (*value)(void *, char *, char *, int, int)) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode magpie_easy_set_debug_callback(CURL *easy,
                                                      int (*value)(CURL *, curl_infotype, char *, size_t, void *)) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, value);
}

static inline CURLcode magpie_easy_set_tls_callback(CURL *easy, CURLcode (*value)(CURL *, void *, void *)) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, value);
}

static inline CURLcode magpie_easy_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode magpie_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode magpie_easy_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode magpie_easy_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode magpie_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode magpie_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode magpie_multi_set_socket_callback(CURLM *multi,
                                                         int (*value)(CURL *, curl_socket_t, int, void *, void *)) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}

static inline CURLMcode magpie_multi_set_timer_callback(CURLM *multi, int (*value)(CURLM *, long, void *)) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}

static const int magpie_version_http3 = CURL_VERSION_HTTP3;

static inline const curl_version_info_data *magpie_version(void) {
    return curl_version_info(CURLVERSION_NOW);
}

static inline CURLcode magpie_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif

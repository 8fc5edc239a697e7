#include "CCurl.h"

// curl.h makes macros of some of these names to check types; without parentheses behind them they
// are the functions themselves.
#define FUNCTIONS(X) \
    X(global_init) X(easy_init) X(easy_cleanup) X(easy_setopt) X(easy_getinfo) X(easy_pause) X(easy_perform) X(easy_reset) X(multi_init) X(multi_cleanup) \
    X(multi_add_handle) X(multi_remove_handle) X(multi_perform) X(multi_poll) X(multi_wakeup) X(multi_info_read) \
    X(multi_setopt) X(slist_append) X(slist_free_all)
#define LIBRARY curl
#define FILE_NAME "libcurl.so.4"
#define PREFIX curl_
#include "../CLinux/loading.h"

bool rhumb_curl_load(void) { return load_library(); }

CURLcode rhumb_curl_global_init(long flags) { return curl.global_init(flags); }

CURL *rhumb_curl_easy_init(void) { return curl.easy_init(); }
void rhumb_curl_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }

CURLcode rhumb_curl_easy_perform(CURL *easy) { return curl.easy_perform(easy); }
void rhumb_curl_easy_reset(CURL *easy) { curl.easy_reset(easy); }

CURLcode rhumb_curl_easy_resume(CURL *easy) { return curl.easy_pause(easy, CURLPAUSE_CONT); }

CURLM *rhumb_curl_multi_init(void) { return curl.multi_init(); }
CURLMcode rhumb_curl_multi_cleanup(CURLM *multi) { return curl.multi_cleanup(multi); }
CURLMcode rhumb_curl_multi_add_handle(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }
CURLMcode rhumb_curl_multi_remove_handle(CURLM *multi, CURL *easy) { return curl.multi_remove_handle(multi, easy); }
CURLMcode rhumb_curl_multi_perform(CURLM *multi, int *count) { return curl.multi_perform(multi, count); }
CURLMcode rhumb_curl_multi_poll(CURLM *multi, int milliseconds) {
    return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}
CURLMcode rhumb_curl_multi_wakeup(CURLM *multi) { return curl.multi_wakeup(multi); }
CURLMsg *rhumb_curl_multi_info_read(CURLM *multi, int *left) { return curl.multi_info_read(multi, left); }

struct curl_slist *rhumb_curl_slist_append(struct curl_slist *list, const char *line) {
    return curl.slist_append(list, line);
}
void rhumb_curl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }

CURLcode rhumb_curl_set_long(CURL *easy, CURLoption option, long value) {
    return (curl.easy_setopt)(easy, option, value);
}
CURLcode rhumb_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return (curl.easy_setopt)(easy, option, value);
}
CURLcode rhumb_curl_set_write(CURL *easy, CURLoption option, curl_write_callback call) {
    return (curl.easy_setopt)(easy, option, call);
}
CURLcode rhumb_curl_set_opensocket(CURL *easy, curl_opensocket_callback call) {
    return (curl.easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, call);
}

long rhumb_curl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    (curl.easy_getinfo)(easy, info, &value);
    return value;
}

CURLMcode rhumb_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl.multi_setopt)(multi, option, value);
}

#pragma once
#include <curl/curl.h>
#include <stdbool.h>

// libcurl brings a good thirty other libraries along, which cost more time and memory than all the
// rest of the program's beginning. So it is loaded when a server is asked for the first time.

/// Loads libcurl. Nothing else of this header may be called before, or where it returned false.
bool rhumb_curl_load(void);

CURLcode rhumb_curl_global_init(long flags);

CURL *rhumb_curl_easy_init(void);
void rhumb_curl_easy_cleanup(CURL *easy);
/// Sends a request and waits for its end.
CURLcode rhumb_curl_easy_perform(CURL *easy);
/// Resets all options.
void rhumb_curl_easy_reset(CURL *easy);
/// Resumes a transfer that its write callback has paused. Calls the write callback with the pending bytes.
CURLcode rhumb_curl_easy_resume(CURL *easy);

CURLM *rhumb_curl_multi_init(void);
CURLMcode rhumb_curl_multi_cleanup(CURLM *multi);
CURLMcode rhumb_curl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode rhumb_curl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode rhumb_curl_multi_perform(CURLM *multi, int *count);
/// Waits for what the transfers wait for, or for a wake-up.
CURLMcode rhumb_curl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode rhumb_curl_multi_wakeup(CURLM *multi);
CURLMsg *rhumb_curl_multi_info_read(CURLM *multi, int *left);

struct curl_slist *rhumb_curl_slist_append(struct curl_slist *list, const char *line);
void rhumb_curl_slist_free_all(struct curl_slist *list);

// Swift can't call C functions with variable arguments. Each kind of argument that Rhumb passes
// to curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo has one function here.

// Numbers and switches.
CURLcode rhumb_curl_set_long(CURL *easy, CURLoption option, long value);
// Texts (copied by curl), header lists, and the pointers handed back to callbacks.
CURLcode rhumb_curl_set_pointer(CURL *easy, CURLoption option, const void *value);
// Where body and header bytes go: both callbacks have this type.
CURLcode rhumb_curl_set_write(CURL *easy, CURLoption option, curl_write_callback call);
// Who opens sockets: the offline switch sits there.
CURLcode rhumb_curl_set_opensocket(CURL *easy, curl_opensocket_callback call);
// The status and the HTTP version of an answer, and the system's error number.
long rhumb_curl_get_long(CURL *easy, CURLINFO info);
// Limits of the connection pool.
CURLMcode rhumb_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

// The outcome of a transfer lies in a union, whose active member depends on the message's kind.
static inline CURLcode rhumb_curl_result(const CURLMsg *message) {
    return message->msg == CURLMSG_DONE ? message->data.result : CURLE_OK;
}

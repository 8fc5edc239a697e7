#pragma once
#include <curl/curl.h>

// Swift can't call C functions with variable arguments. Each kind of argument that Rhumb passes
// to curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo has one function here. curl.h
// makes macros of these names to check types; the parentheses call the functions themselves.

// Numbers and switches.
static inline CURLcode rhumb_curl_set_long(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

// Texts (copied by curl), header lists, and the pointers handed back to callbacks.
static inline CURLcode rhumb_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return (curl_easy_setopt)(easy, option, value);
}

// Where body and header bytes go: both callbacks have this type.
static inline CURLcode rhumb_curl_set_write(CURL *easy, CURLoption option, curl_write_callback call) {
    return (curl_easy_setopt)(easy, option, call);
}

// Who opens sockets: the offline switch sits there.
static inline CURLcode rhumb_curl_set_opensocket(CURL *easy, curl_opensocket_callback call) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, call);
}

// The status and the HTTP version of an answer, and the system's error number.
static inline long rhumb_curl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    (curl_easy_getinfo)(easy, info, &value);
    return value;
}

// Limits of the connection pool.
static inline CURLMcode rhumb_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

// The outcome of a transfer lies in a union, whose active member depends on the message's kind.
static inline CURLcode rhumb_curl_result(const CURLMsg *message) {
    return message->msg == CURLMSG_DONE ? message->data.result : CURLE_OK;
}

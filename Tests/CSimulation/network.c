#define _GNU_SOURCE
#include "private.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// MARK: Threads

// One thread runs at a time: that of the simulation, or the one that it has handed over to.
enum { LIMIT = 4096 };
typedef struct {
    pthread_t id;
    void *(*start)(void *);
    void *argument;
    bool woken, ended;
    int64_t deadline;
} thread;
static thread threads[LIMIT];
static int thread_count, turn = -1;
static _Thread_local int self = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;

static void hand(int to, int back) {
    pthread_mutex_lock(&lock);
    turn = to;
    pthread_cond_broadcast(&moved);
    while (turn != back) pthread_cond_wait(&moved, &lock);
    pthread_mutex_unlock(&lock);
}

static void *start(void *argument) {
    self = (int)(intptr_t)argument;
    pthread_mutex_lock(&lock);
    while (turn != self) pthread_cond_wait(&moved, &lock);
    pthread_mutex_unlock(&lock);
    void *result = threads[self].start(threads[self].argument);
    pthread_mutex_lock(&lock);
    threads[self].ended = true;
    turn = -1;
    pthread_cond_broadcast(&moved);
    pthread_mutex_unlock(&lock);
    return result;
}

int pthread_create(
    pthread_t *restrict id, const pthread_attr_t *restrict attributes, void *(*work)(void *), void *restrict argument
) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_create");
    if (!sim_on || thread_count == LIMIT) return real(id, attributes, work, argument);
    int number = thread_count++;
    threads[number] = (thread){.start = work, .argument = argument, .deadline = INT64_MAX};
    int code = real(&threads[number].id, attributes, start, (void *)(intptr_t)number);
    *id = threads[number].id;
    if (code == 0) hand(number, self);
    return code;
}

int pthread_join(pthread_t id, void **result) {
    static int (*real)(pthread_t, void **);
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_join");
    for (int i = 0; sim_on && i < thread_count; i++)
        while (i != self && threads[i].id == id && !threads[i].ended) hand(i, self);
    return real(id, result);
}

bool sim_run_threads(void) {
    bool any = false;
    for (int i = 0; i < thread_count; i++) {
        thread *it = &threads[i];
        if (it->ended || !(it->woken || it->deadline <= sim_now())) continue;
        it->woken = false;
        any = true;
        hand(i, -1);
    }
    return any;
}

int64_t sim_thread_deadline(void) {
    int64_t first = INT64_MAX;
    for (int i = 0; i < thread_count; i++)
        if (!threads[i].ended && threads[i].deadline < first) first = threads[i].deadline;
    return first;
}

// MARK: curl

typedef struct easy {
    struct easy *next;
    char *url;
    struct curl_slist *headers;
    void *write_context, *header_context, *socket_context;
    curl_write_callback write, header;
    curl_opensocket_callback open;
    long timeout, idle;
    // The transfer.
    int number, error;
    sim_reply reply;
    int64_t due, end;
    size_t sent;
    bool has_headers, paused, done;
    CURLMsg message;
} easy;

typedef struct {
    easy *first;
    int thread;
} multi;

static void (*serve)(const char *, const char *, int, sim_reply *), (*ended)(int, bool);
static int numbers;

void sim_serve(void (*reply)(const char *, const char *, int, sim_reply *), void (*end)(int, bool)) {
    serve = reply;
    ended = end;
}

void *dlopen(const char *name, int mode) {
    static void *(*real)(const char *, int);
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "dlopen");
    return sim_on && name && strcmp(name, "libcurl.so.4") == 0 ? real(NULL, mode) : real(name, mode);
}

CURLcode curl_global_init(long flags) { return (void)flags, CURLE_OK; }
CURL *curl_easy_init(void) {
    easy *made = calloc(1, sizeof *made);
    return made;
}

static void forget(easy *it) {
    free(it->reply.headers);
    free(it->reply.body);
    it->reply = (sim_reply){0};
}

void curl_easy_cleanup(CURL *handle) {
    easy *it = handle;
    forget(it);
    free(it->url);
    free(it);
}

#undef curl_easy_setopt
CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...) {
    easy *it = handle;
    va_list rest;
    va_start(rest, option);
    switch ((int)option) {
    case CURLOPT_URL:
        free(it->url);
        it->url = strdup(va_arg(rest, char *));
        break;
    case CURLOPT_HTTPHEADER: it->headers = va_arg(rest, struct curl_slist *); break;
    case CURLOPT_HEADERDATA: it->header_context = va_arg(rest, void *); break;
    case CURLOPT_WRITEDATA: it->write_context = va_arg(rest, void *); break;
    case CURLOPT_OPENSOCKETDATA: it->socket_context = va_arg(rest, void *); break;
    case CURLOPT_HEADERFUNCTION: it->header = va_arg(rest, curl_write_callback); break;
    case CURLOPT_WRITEFUNCTION: it->write = va_arg(rest, curl_write_callback); break;
    case CURLOPT_OPENSOCKETFUNCTION: it->open = va_arg(rest, curl_opensocket_callback); break;
    case CURLOPT_TIMEOUT_MS: it->timeout = va_arg(rest, long); break;
    case CURLOPT_LOW_SPEED_TIME: it->idle = va_arg(rest, long); break;
    default: break;
    }
    va_end(rest);
    return CURLE_OK;
}

#undef curl_easy_getinfo
CURLcode curl_easy_getinfo(CURL *handle, CURLINFO info, ...) {
    easy *it = handle;
    va_list rest;
    va_start(rest, info);
    if (info == CURLINFO_RESPONSE_CODE) *va_arg(rest, long *) = it->has_headers ? it->reply.status : 0;
    va_end(rest);
    return CURLE_OK;
}

CURLcode curl_easy_pause(CURL *handle, int mask) {
    easy *it = handle;
    (void)mask;
    it->paused = false;
    it->due = sim_now();
    return CURLE_OK;
}
CURLcode curl_easy_perform(CURL *handle) { return (void)handle, CURLE_COULDNT_CONNECT; }
void curl_easy_reset(CURL *handle) { (void)handle; }

CURLM *curl_multi_init(void) {
    multi *made = calloc(1, sizeof *made);
    made->thread = self;
    return made;
}
CURLMcode curl_multi_cleanup(CURLM *handle) {
    free(handle);
    return CURLM_OK;
}
#undef curl_multi_setopt
CURLMcode curl_multi_setopt(CURLM *handle, CURLMoption option, ...) { return (void)handle, (void)option, CURLM_OK; }

CURLMcode curl_multi_add_handle(CURLM *handle, CURL *added) {
    multi *all = handle;
    easy *it = added, **at = &all->first;
    while (*at) at = &(*at)->next;
    *at = it;
    it->next = NULL;
    it->number = numbers++;
    it->sent = 0;
    it->error = 0;
    it->has_headers = it->paused = it->done = false;
    struct curl_sockaddr place = {.family = AF_INET, .socktype = SOCK_STREAM};
    int socket = it->open(it->socket_context, CURLSOCKTYPE_IPCXN, &place);
    if (socket == CURL_SOCKET_BAD) {
        it->number = -1;
        it->reply = (sim_reply){.error = CURLE_COULDNT_CONNECT};
        it->due = it->end = sim_now();
        return CURLM_OK;
    }
    close(socket);
    char lines[8192] = "";
    size_t length = 0;
    for (struct curl_slist *line = it->headers; line; line = line->next) {
        size_t more = strlen(line->data);
        if (length + more + 2 > sizeof lines) break;
        memcpy(lines + length, line->data, more);
        lines[length += more] = '\n';
        lines[++length] = 0;
    }
    serve(it->url, lines, it->number, &it->reply);
    it->due = sim_now() + it->reply.delay;
    it->end = it->timeout ? sim_now() + it->timeout * 1000000 : INT64_MAX;
    int64_t silence = it->idle * 1000000000;
    if (it->idle && it->reply.delay > silence && sim_now() + silence < it->end) it->end = sim_now() + silence;
    return CURLM_OK;
}

CURLMcode curl_multi_remove_handle(CURLM *handle, CURL *removed) {
    easy *it = removed, **at = &((multi *)handle)->first;
    while (*at && *at != it) at = &(*at)->next;
    if (*at) *at = it->next;
    if (it->number >= 0) ended(it->number, it->done);
    forget(it);
    return CURLM_OK;
}

static void finish(easy *it, int error) {
    it->error = error;
    it->done = true;
    it->message = (CURLMsg){.msg = CURLMSG_DONE, .easy_handle = it, .data.result = (CURLcode)error};
}

// Passes on what has arrived.
static void receive(easy *it) {
    if (!it->has_headers) {
        if (it->reply.status == 0) return finish(it, it->reply.error);
        it->has_headers = true;
        char line[2048];
        size_t count = (size_t)snprintf(line, sizeof line, "HTTP/1.1 %d \r\n", it->reply.status);
        it->header(line, 1, count, it->header_context);
        for (char *at = it->reply.headers; at && *at;) {
            char *stop = strchrnul(at, '\n');
            count = (size_t)snprintf(line, sizeof line, "%.*s\r\n", (int)(stop - at), at);
            it->header(line, 1, count, it->header_context);
            at = *stop ? stop + 1 : stop;
        }
        it->header("\r\n", 1, 2, it->header_context);
    }
    size_t rest = it->reply.length - it->sent, size = it->reply.length / (size_t)(it->reply.pieces ? it->reply.pieces : 1) + 1;
    if (size > rest) size = rest;
    if (size > 0) {
        size_t taken = it->write((char *)it->reply.body + it->sent, 1, size, it->write_context);
        if (taken == CURL_WRITEFUNC_PAUSE) {
            it->paused = true;
            return;
        }
        it->sent += size;
        if (taken != size) return finish(it, CURLE_WRITE_ERROR);
    }
    if (it->sent < it->reply.length) it->due = sim_now() + it->reply.pause;
    else finish(it, it->reply.error);
}

CURLMcode curl_multi_perform(CURLM *handle, int *count) {
    *count = 0;
    for (easy *it = ((multi *)handle)->first, *next; it; it = next) {
        next = it->next;
        if (!it->done && sim_now() >= it->end && it->due > it->end) finish(it, CURLE_OPERATION_TIMEDOUT);
        while (!it->done && !it->paused && it->due <= sim_now()) receive(it);
        *count += !it->done;
    }
    return CURLM_OK;
}

CURLMsg *curl_multi_info_read(CURLM *handle, int *left) {
    *left = 0;
    for (easy *it = ((multi *)handle)->first; it; it = it->next) {
        if (!it->done || !it->message.msg) continue;
        static CURLMsg message;
        message = it->message;
        it->message.msg = 0;
        return &message;
    }
    return NULL;
}

CURLMcode curl_multi_poll(CURLM *handle, struct curl_waitfd *more, unsigned extra, int milliseconds, int *count) {
    multi *all = handle;
    (void)more, (void)extra, (void)count;
    int64_t deadline = sim_now() + milliseconds * 1000000LL;
    for (easy *it = all->first; it; it = it->next) {
        if (it->done || it->paused) continue;
        int64_t next = it->due < it->end ? it->due : it->end;
        if (next < deadline) deadline = next;
    }
    // Without a request, it would only look at its clock.
    threads[self].deadline = all->first || milliseconds < 60000 ? deadline : INT64_MAX;
    hand(-1, self);
    return CURLM_OK;
}

CURLMcode curl_multi_wakeup(CURLM *handle) {
    threads[((multi *)handle)->thread].woken = true;
    return CURLM_OK;
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line) {
    struct curl_slist *added = calloc(1, sizeof *added), *last = list;
    added->data = strdup(line);
    if (!list) return added;
    while (last->next) last = last->next;
    last->next = added;
    return list;
}
void curl_slist_free_all(struct curl_slist *list) {
    while (list) {
        struct curl_slist *next = list->next;
        free(list->data);
        free(list);
        list = next;
    }
}

#include "CMicroHTTP.h"
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define FUNCTIONS(X) \
    X(start_daemon) X(stop_daemon) X(get_daemon_info) X(get_connection_info) X(get_connection_values) \
    X(create_response_from_buffer) X(create_response_from_fd_at_offset64) X(add_response_header) \
    X(queue_response) X(destroy_response) X(suspend_connection) X(resume_connection)
#define LIBRARY mhd
#define FILE_NAME "libmicrohttpd.so.12"
#define PREFIX MHD_
#include "../CLinux/loading.h"

bool rhumb_http_load(void) { return load_library(); }

// A connection that has not sent a complete request since a time; `since` is 0 while a request is answered.
struct slot {
    struct slot *next, *previous;
    int socket;
    time_t since;
    // The client's IPv4 address, or the network part of its IPv6 address, which belongs to one site.
    unsigned char address[9];
};

struct rhumb_http_server {
    struct MHD_Daemon *daemon;
    rhumb_http_handler handler;
    rhumb_http_completion completion;
    void *context;
    unsigned request_seconds, connections_per_address;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t watch;
    bool is_stopping;
    struct slot *slots;
};

static time_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return time.tv_sec + 1;
}

static void set_address(struct slot *slot, const struct sockaddr *client) {
    if (client && client->sa_family == AF_INET) {
        slot->address[0] = 4;
        memcpy(slot->address + 1, &((const struct sockaddr_in *)client)->sin_addr, 4);
    } else if (client && client->sa_family == AF_INET6) {
        slot->address[0] = 6;
        memcpy(slot->address + 1, &((const struct sockaddr_in6 *)client)->sin6_addr, 8);
    }
}

// Closes the connection of an address that has been idle for the longest time, or else the new one, if the
// address has too many. Called with the lock held, before the new connection is in the list.
static void limit_address(struct rhumb_http_server *server, struct slot *new) {
    unsigned count = 0;
    struct slot *oldest = NULL;
    time_t oldest_since = 0;
    for (struct slot *slot = server->slots; slot; slot = slot->next) {
        if (slot->socket < 0 || memcmp(slot->address, new->address, sizeof new->address)) continue;
        count++;
        // New connections are put in front, so that the last one is the oldest of a second.
        time_t since = __atomic_load_n(&slot->since, __ATOMIC_RELAXED);
        if (since && (!oldest || since <= oldest_since)) {
            oldest = slot;
            oldest_since = since;
        }
    }
    if (!server->connections_per_address || count < server->connections_per_address) return;
    struct slot *closed = oldest ? oldest : new;
    shutdown(closed->socket, SHUT_RDWR);
    closed->socket = -1;
}

static void note_connection(
    void *context, struct MHD_Connection *connection, void **place, enum MHD_ConnectionNotificationCode code) {
    struct rhumb_http_server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        struct slot *slot = calloc(1, sizeof *slot);
        *place = slot;
        if (!slot) return;
        const union MHD_ConnectionInfo *info = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        slot->socket = info ? info->connect_fd : -1;
        slot->since = now();
        info = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
        set_address(slot, info ? info->client_addr : NULL);
        pthread_mutex_lock(&server->lock);
        limit_address(server, slot);
        slot->next = server->slots;
        if (slot->next) slot->next->previous = slot;
        server->slots = slot;
        pthread_mutex_unlock(&server->lock);
    } else if (*place) {
        struct slot *slot = *place;
        pthread_mutex_lock(&server->lock);
        if (slot->previous) slot->previous->next = slot->next; else server->slots = slot->next;
        if (slot->next) slot->next->previous = slot->previous;
        pthread_mutex_unlock(&server->lock);
        free(slot);
        *place = NULL;
    }
}

static void set_since(struct MHD_Connection *connection, time_t since) {
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info && info->socket_context) __atomic_store_n(&((struct slot *)info->socket_context)->since, since, __ATOMIC_RELAXED);
}

// A client that sends its request byte by byte is never idle, so libmicrohttpd's own limit does not end it.
static void *watch(void *context) {
    struct rhumb_http_server *server = context;
    pthread_mutex_lock(&server->lock);
    while (!server->is_stopping) {
        struct timespec end;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_sec += 1;
        pthread_cond_timedwait(&server->wake, &server->lock, &end);
        time_t limit = now() - server->request_seconds;
        for (struct slot *slot = server->slots; slot; slot = slot->next) {
            time_t since = __atomic_load_n(&slot->since, __ATOMIC_RELAXED);
            if (since && since < limit && slot->socket >= 0) shutdown(slot->socket, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

static char first_call;

// A field that announces a body. There may be several, with different lengths.
static enum MHD_Result find_body(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    bool is_empty = !strcasecmp(name, "Content-Length") && value && !strcmp(value, "0");
    if (!is_empty && (!strcasecmp(name, "Content-Length") || !strcasecmp(name, "Transfer-Encoding"))) {
        *(bool *)context = true;
    }
    return MHD_YES;
}

static enum MHD_Result handle(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *data, size_t *size, void **state) {
    struct rhumb_http_server *server = context;
    if (!*state) {
        set_since(connection, 0);
        // A request with a body is answered at once, and its connection closed.
        *state = &first_call;
        bool has_body = false;
        mhd.get_connection_values(connection, MHD_HEADER_KIND, find_body, &has_body);
        if (!has_body) return MHD_YES;
    }
    if (*state == &first_call) *state = NULL;
    bool is_answered = server->handler(server->context, connection, url, method, state);
    if (!*state) *state = &first_call;
    return is_answered ? MHD_YES : MHD_NO;
}

static void complete(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code) {
    struct rhumb_http_server *server = context;
    if (*state && *state != &first_call) server->completion(server->context, *state);
    *state = NULL;
    set_since(connection, now());
}

// The path is passed on as sent; the server decodes it.
static size_t keep(void *context, struct MHD_Connection *connection, char *text) { return strlen(text); }
static void be_silent(void *context, const char *format, va_list arguments) {}

struct rhumb_http_server *rhumb_http_start(
    const struct sockaddr *address, struct rhumb_http_limits limits, rhumb_http_handler handler,
    rhumb_http_completion completion, void *context) {
    struct rhumb_http_server *server = calloc(1, sizeof *server);
    if (!server) return NULL;
    server->handler = handler;
    server->completion = completion;
    server->context = context;
    server->request_seconds = limits.request_seconds;
    server->connections_per_address = limits.connections_per_address;
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->wake, NULL);
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG
        | (address->sa_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    server->daemon = mhd.start_daemon(
        flags, 0, NULL, NULL, handle, server,
        MHD_OPTION_EXTERNAL_LOGGER, be_silent, NULL,
        MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_THREAD_POOL_SIZE, limits.threads,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.head_bytes,
        MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, keep, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, server,
        MHD_OPTION_NOTIFY_COMPLETED, complete, server,
        MHD_OPTION_END);
    if (!server->daemon || pthread_create(&server->watch, NULL, watch, server)) {
        if (server->daemon) mhd.stop_daemon(server->daemon);
        free(server);
        return NULL;
    }
    return server;
}

void rhumb_http_stop(struct rhumb_http_server *server) {
    pthread_mutex_lock(&server->lock);
    server->is_stopping = true;
    pthread_cond_signal(&server->wake);
    pthread_mutex_unlock(&server->lock);
    pthread_join(server->watch, NULL);
    mhd.stop_daemon(server->daemon);
    free(server);
}

uint16_t rhumb_http_port(struct rhumb_http_server *server) {
    const union MHD_DaemonInfo *info = mhd.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

struct search {
    const char *name;
    rhumb_http_value found;
    void *context;
};

static enum MHD_Result pass_on(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    struct search *search = context;
    if (name && !strcasecmp(name, search->name)) search->found(search->context, value ? value : "");
    return MHD_YES;
}

void rhumb_http_fields(struct MHD_Connection *connection, const char *name, rhumb_http_value found, void *context) {
    struct search search = {name, found, context};
    mhd.get_connection_values(connection, MHD_HEADER_KIND, pass_on, &search);
}
struct MHD_Response *rhumb_http_response(const void *bytes, size_t count) {
    return mhd.create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
struct MHD_Response *rhumb_http_file_response(int file, uint64_t offset, uint64_t count) {
    return mhd.create_response_from_fd_at_offset64(count, file, offset);
}
void rhumb_http_add_field(struct MHD_Response *response, const char *name, const char *value) {
    mhd.add_response_header(response, name, value);
}
bool rhumb_http_queue(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
    return mhd.queue_response(connection, status, response) == MHD_YES;
}
void rhumb_http_release(struct MHD_Response *response) { mhd.destroy_response(response); }
void rhumb_http_suspend(struct MHD_Connection *connection) { mhd.suspend_connection(connection); }
void rhumb_http_resume(struct MHD_Connection *connection) { mhd.resume_connection(connection); }

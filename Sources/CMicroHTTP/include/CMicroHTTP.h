#pragma once
#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

// GNU libmicrohttpd is loaded when a server is started; no other command needs it.

/// The limits of a server.
struct rhumb_http_limits {
    /// The number of threads.
    unsigned threads;
    /// The number of open connections.
    unsigned connections;
    /// The number of open connections of one client address; 0 for no limit. Beyond it, the connection that has
    /// been idle for the longest time is closed.
    unsigned connections_per_address;
    /// The memory for the head of a request, in bytes.
    size_t head_bytes;
    /// The seconds within which a connection must send a complete request.
    unsigned request_seconds;
    /// The seconds within which a client must read some of a response.
    unsigned idle_seconds;
};

/// Called for each request. It must queue a response, or suspend the connection; false closes the connection.
/// `state` is null at first; after a suspended connection was resumed, it is what the callback left there.
typedef bool (*rhumb_http_handler)(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, void **state);
/// Called at the end of a request whose `state` is not null.
typedef void (*rhumb_http_completion)(void *context, void *state);

struct rhumb_http_server;

/// Loads libmicrohttpd. Nothing else of this header may be called before, or where it returned false.
bool rhumb_http_load(void);

/// Starts a server with threads of its own; null if the address can't be used (see errno).
struct rhumb_http_server *rhumb_http_start(
    const struct sockaddr *address, struct rhumb_http_limits limits, rhumb_http_handler handler,
    rhumb_http_completion completion, void *context);
/// Closes all connections, and waits for the threads.
void rhumb_http_stop(struct rhumb_http_server *server);
/// The port it listens on; 0 if unknown.
uint16_t rhumb_http_port(struct rhumb_http_server *server);

/// Receives the value of a header field.
typedef void (*rhumb_http_value)(void *context, const char *value);
/// Passes the value of each line of a header field to a callback, in order.
void rhumb_http_fields(struct MHD_Connection *connection, const char *name, rhumb_http_value found, void *context);
/// Creates a response whose body is copied; null if memory is exhausted.
struct MHD_Response *rhumb_http_response(const void *bytes, size_t count);
/// Creates a response with a part of a file, which is closed with the response; null if memory is exhausted.
struct MHD_Response *rhumb_http_file_response(int file, uint64_t offset, uint64_t count);
void rhumb_http_add_field(struct MHD_Response *response, const char *name, const char *value);
bool rhumb_http_queue(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response);
void rhumb_http_release(struct MHD_Response *response);
void rhumb_http_suspend(struct MHD_Connection *connection);
void rhumb_http_resume(struct MHD_Connection *connection);

#pragma once
// What Swift's Glibc leaves out: `mallopt`, `syncfs`, and descriptors that no other program inherits.
#include <malloc.h>
#include <sys/socket.h>

#ifndef _GNU_SOURCE
int pipe2(int ends[2], int flags);
int syncfs(int descriptor);
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
#endif

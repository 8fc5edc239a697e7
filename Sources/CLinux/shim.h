#pragma once
// What Swift's Glibc leaves out: `mallopt`, `syncfs`, `copy_file_range`, descriptors that no other program inherits, and programs
// that end with their parent.
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef _GNU_SOURCE
int pipe2(int ends[2], int flags);
int syncfs(int descriptor);
ssize_t copy_file_range(int from, off_t *at, int to, off_t *there, size_t count, unsigned flags);
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
#endif

// Returns 1 if the process ignores a signal, such as SIGHUP below nohup.
static inline int is_signal_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

// Starts a program in a process group of its own that receives a signal when the calling thread or its process
// ends, however it ends. posix_spawn has no such attribute. Returns the process id, or minus an error number.
// descriptors: the program's standard input, output and error output.
static inline pid_t start_ending_with_parent(
    int death_signal, const char *path, char *const words[], char *const variables[], const int descriptors[3])
{
    pid_t parent = getpid();
    int ends[2], problem = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
    pid_t child = fork();
    if (child == 0) {
        // Only async-signal-safe functions are allowed between fork and exec.
        sigset_t none;
        sigemptyset(&none);
        setpgid(0, 0);
        // A shell can't trap a signal that its parent ignores, as all do that nohup starts.
        const int usual[] = {death_signal, SIGHUP, SIGTERM, SIGINT, SIGQUIT, SIGCHLD, SIGPIPE};
        for (unsigned at = 0; at < sizeof usual / sizeof usual[0]; at++) signal(usual[at], SIG_DFL);
        prctl(PR_SET_PDEATHSIG, death_signal);
        if (getppid() != parent) _exit(127);
        for (int at = 0; at < 3; at++) dup2(descriptors[at], at);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(path, words, variables);
        problem = errno;
        (void)!write(ends[1], &problem, sizeof problem);
        _exit(127);
    }
    if (child < 0) problem = errno;
    close(ends[1]);
    if (child > 0) {
        ssize_t count;
        do count = read(ends[0], &problem, sizeof problem); while (count < 0 && errno == EINTR);
        if (problem != 0) waitpid(child, NULL, 0);
    }
    close(ends[0]);
    return problem == 0 ? child : -problem;
}

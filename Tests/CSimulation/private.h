#pragma once
#include "CSimulation.h"

extern bool sim_on;

/// Lets time pass within a step.
void sim_pass(int64_t nanoseconds);
/// Runs each thread that has something to do, until it waits again. Returns false if none has.
bool sim_run_threads(void);
/// The time at which a thread has something to do.
int64_t sim_thread_deadline(void);

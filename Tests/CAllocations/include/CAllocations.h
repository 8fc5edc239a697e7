#ifndef RHUMB_ALLOCATIONS_H
#define RHUMB_ALLOCATIONS_H

// Returns how often the process has asked for memory.
long rhumb_allocations(void);

#endif

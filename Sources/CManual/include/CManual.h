#pragma once
#include <stddef.h>

// The manual and the commit, which ride inside the program (see manual.S). Unlike the assets of CDefaults, they change
// often, and only few modules need them. The memory is read-only and lives as long as the process.
struct rhumb_text { const unsigned char *start; size_t count; };

// The pages of the manual (Markdown), each after a form feed and a line with its topic.
struct rhumb_text rhumb_asset_manual(void);

// The abbreviated hash of the commit that the program was built from; empty if unknown.
struct rhumb_text rhumb_asset_commit(void);

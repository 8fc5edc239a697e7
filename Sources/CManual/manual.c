#include "CManual.h"

extern const unsigned char rhumb_manual_start[], rhumb_manual_end[];
extern const unsigned char rhumb_commit_start[], rhumb_commit_end[];

struct rhumb_text rhumb_asset_manual(void) {
    return (struct rhumb_text){rhumb_manual_start, (size_t)(rhumb_manual_end - rhumb_manual_start)};
}

struct rhumb_text rhumb_asset_commit(void) {
    return (struct rhumb_text){rhumb_commit_start, (size_t)(rhumb_commit_end - rhumb_commit_start)};
}

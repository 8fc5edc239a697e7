#include "CAssets.h"

extern const unsigned char rhumb_world_start[];
extern const unsigned char rhumb_world_end[];
extern const unsigned char rhumb_sources_start[];
extern const unsigned char rhumb_sources_end[];

const unsigned char *rhumb_asset_world(void) { return rhumb_world_start; }
size_t rhumb_asset_world_size(void) { return (size_t)(rhumb_world_end - rhumb_world_start); }

const unsigned char *rhumb_asset_sources(void) { return rhumb_sources_start; }
size_t rhumb_asset_sources_size(void) { return (size_t)(rhumb_sources_end - rhumb_sources_start); }

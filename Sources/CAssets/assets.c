#include "CAssets.h"

extern const unsigned char rhumb_world_start[];
extern const unsigned char rhumb_world_end[];
extern const unsigned char rhumb_relief_start[];
extern const unsigned char rhumb_relief_end[];
extern const unsigned char rhumb_places_start[];
extern const unsigned char rhumb_places_end[];

const unsigned char *rhumb_asset_world(void) { return rhumb_world_start; }
size_t rhumb_asset_world_size(void) { return (size_t)(rhumb_world_end - rhumb_world_start); }

const unsigned char *rhumb_asset_relief(void) { return rhumb_relief_start; }
size_t rhumb_asset_relief_size(void) { return (size_t)(rhumb_relief_end - rhumb_relief_start); }

const unsigned char *rhumb_asset_places(void) { return rhumb_places_start; }
size_t rhumb_asset_places_size(void) { return (size_t)(rhumb_places_end - rhumb_places_start); }

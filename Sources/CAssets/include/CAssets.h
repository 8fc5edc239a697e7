#pragma once
#include <stddef.h>

// The files under Assets/ that ride inside the binary (see assets.S). Each pair is the first
// byte and the length; the memory is read-only and lives as long as the process.

const unsigned char *rhumb_asset_world(void);
size_t rhumb_asset_world_size(void);

// Light and shade of the world's hills (PMTiles of grey pictures).
const unsigned char *rhumb_asset_relief(void);
size_t rhumb_asset_relief_size(void);

// The names of places (SQLite).
const unsigned char *rhumb_asset_places(void);
size_t rhumb_asset_places_size(void);

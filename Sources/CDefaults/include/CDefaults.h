#pragma once
#include <stdbool.h>
#include <stddef.h>

// The files under Assets/ that ride inside the library (see defaults.S). Each pair is the first
// byte and the length; the memory is read-only and lives as long as the process.

// The list of web sources (JSON).
const unsigned char *rhumb_asset_sources(void);
size_t rhumb_asset_sources_size(void);

// Rhumb's styles for vector tiles (JSON), by the colours of the terminal they are drawn for.
enum rhumb_colours { rhumb_colours_all, rhumb_colours_256, rhumb_colours_16, rhumb_colours_none };
struct rhumb_bytes { const unsigned char *start; size_t count; };
struct rhumb_bytes rhumb_asset_style(bool night, enum rhumb_colours colours);

// The areas of countries and provinces (see CountryAreas.swift).
const unsigned char *rhumb_asset_countries(void);
size_t rhumb_asset_countries_size(void);

#pragma once
#include <stdbool.h>
#include <stddef.h>

// The files under Assets/ that ride inside the library (see defaults.S). The memory is read-only and lives as long as
// the process.
struct rhumb_bytes { const unsigned char *start; size_t count; };

// The list of web sources (JSON).
struct rhumb_bytes rhumb_asset_sources(void);

// Rhumb's styles for vector tiles (JSON), by the colours of the terminal they are drawn for.
enum rhumb_colours { rhumb_colours_all, rhumb_colours_256, rhumb_colours_16, rhumb_colours_none };
struct rhumb_bytes rhumb_asset_style(bool night, enum rhumb_colours colours);

// The areas of countries and provinces (see CountryAreas.swift).
struct rhumb_bytes rhumb_asset_countries(void);

// The outlines and ranks of countries and oceans (see LabelArea.swift).
struct rhumb_bytes rhumb_asset_labels(void);

// Rivers, lakes and peaks to be named (see NaturalFeature.swift).
struct rhumb_bytes rhumb_asset_nature(void);

// The names of the categories of places (see CategoryNames.swift).
struct rhumb_bytes rhumb_asset_categories(void);
// The names of countries in the list of places and in the outlines (see CountryNames.swift).
struct rhumb_bytes rhumb_asset_countrynames(void);

// The page that shows the maps of a server (HTML).
struct rhumb_bytes rhumb_asset_map_page(void);

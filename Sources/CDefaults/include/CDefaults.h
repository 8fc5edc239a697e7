#pragma once
#include <stddef.h>

// The files under Assets/ that ride inside the library (see defaults.S). Each pair is the first
// byte and the length; the memory is read-only and lives as long as the process.

// The list of web sources (JSON).
const unsigned char *rhumb_asset_sources(void);
size_t rhumb_asset_sources_size(void);

// Rhumb's styles for vector tiles (JSON).
const unsigned char *rhumb_asset_style_day(void);
size_t rhumb_asset_style_day_size(void);
const unsigned char *rhumb_asset_style_night(void);
size_t rhumb_asset_style_night_size(void);

// The areas of countries and provinces (see CountryAreas.swift).
const unsigned char *rhumb_asset_countries(void);
size_t rhumb_asset_countries_size(void);

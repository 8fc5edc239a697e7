#include "CDefaults.h"

extern const unsigned char rhumb_sources_start[];
extern const unsigned char rhumb_sources_end[];
extern const unsigned char rhumb_style_day_start[];
extern const unsigned char rhumb_style_day_end[];
extern const unsigned char rhumb_style_night_start[];
extern const unsigned char rhumb_style_night_end[];
extern const unsigned char rhumb_countries_start[];
extern const unsigned char rhumb_countries_end[];

const unsigned char *rhumb_asset_sources(void) { return rhumb_sources_start; }
size_t rhumb_asset_sources_size(void) { return (size_t)(rhumb_sources_end - rhumb_sources_start); }

const unsigned char *rhumb_asset_style_day(void) { return rhumb_style_day_start; }
size_t rhumb_asset_style_day_size(void) { return (size_t)(rhumb_style_day_end - rhumb_style_day_start); }

const unsigned char *rhumb_asset_countries(void) { return rhumb_countries_start; }
size_t rhumb_asset_countries_size(void) { return (size_t)(rhumb_countries_end - rhumb_countries_start); }

const unsigned char *rhumb_asset_style_night(void) { return rhumb_style_night_start; }
size_t rhumb_asset_style_night_size(void) { return (size_t)(rhumb_style_night_end - rhumb_style_night_start); }


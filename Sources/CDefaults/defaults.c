#include "CDefaults.h"

#define ASSET(name) \
    extern const unsigned char rhumb_##name##_start[], rhumb_##name##_end[]
#define BYTES(name) \
    ((struct rhumb_bytes){ rhumb_##name##_start, (size_t)(rhumb_##name##_end - rhumb_##name##_start) })

ASSET(sources);
ASSET(countries);
ASSET(labels);
ASSET(nature);
ASSET(categories);
ASSET(countrynames);
ASSET(map_page);
ASSET(day);
ASSET(night);
ASSET(day_256);
ASSET(night_256);
ASSET(day_16);
ASSET(night_16);
ASSET(mono);

struct rhumb_bytes rhumb_asset_sources(void) { return BYTES(sources); }
struct rhumb_bytes rhumb_asset_countries(void) { return BYTES(countries); }
struct rhumb_bytes rhumb_asset_labels(void) { return BYTES(labels); }
struct rhumb_bytes rhumb_asset_nature(void) { return BYTES(nature); }
struct rhumb_bytes rhumb_asset_categories(void) { return BYTES(categories); }
struct rhumb_bytes rhumb_asset_countrynames(void) { return BYTES(countrynames); }
struct rhumb_bytes rhumb_asset_map_page(void) { return BYTES(map_page); }

struct rhumb_bytes rhumb_asset_style(bool night, enum rhumb_colours colours) {
    switch (colours) {
        case rhumb_colours_256: return night ? BYTES(night_256) : BYTES(day_256);
        case rhumb_colours_16: return night ? BYTES(night_16) : BYTES(day_16);
        case rhumb_colours_none: return BYTES(mono);
        default: return night ? BYTES(night) : BYTES(day);
    }
}

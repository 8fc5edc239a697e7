// Embeds the assets as read-only data. `.incbin` looks in the header search path, Assets/.
#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack,"",%progbits
#endif
    .section .rodata
    .balign 16

.macro asset name, file
    .global rhumb_\name\()_start
    .global rhumb_\name\()_end
rhumb_\name\()_start:
    .incbin "\file"
rhumb_\name\()_end:
    .byte 0
.endm

    asset sources, "sources.json"
    asset countries, "countries.bin"
    asset labels, "labels.tsv"
    asset nature, "nature.tsv"
    asset categories, "categories.tsv"
    asset countrynames, "countrynames.tsv"
    asset map_page, "serve/map.html"
    asset day, "styles/day.json"
    asset night, "styles/night.json"
    asset day_256, "styles/day-256.json"
    asset night_256, "styles/night-256.json"
    asset day_16, "styles/day-16.json"
    asset night_16, "styles/night-16.json"
    asset mono, "styles/mono.json"

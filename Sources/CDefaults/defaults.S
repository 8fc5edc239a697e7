// Embeds the assets as read-only data. `.incbin` looks in the header search path, Assets/.
#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack,"",%progbits
#endif
    .section .rodata
    .balign 16
    .global rhumb_sources_start
    .global rhumb_sources_end
rhumb_sources_start:
    .incbin "sources.json"
rhumb_sources_end:
    .byte 0
    .global rhumb_style_day_start
    .global rhumb_style_day_end
rhumb_style_day_start:
    .incbin "styles/day.json"
rhumb_style_day_end:
    .byte 0
    .global rhumb_style_night_start
    .global rhumb_style_night_end
rhumb_style_night_start:
    .incbin "styles/night.json"
rhumb_style_night_end:
    .byte 0
    .global rhumb_countries_start
    .global rhumb_countries_end
rhumb_countries_start:
    .incbin "countries.bin"
rhumb_countries_end:
    .byte 0

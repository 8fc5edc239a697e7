// Embeds the assets as read-only data. `.incbin` looks in the header search path, Assets/.
#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack,"",%progbits
#endif
    .section .rodata
    .balign 16
    .global rhumb_world_start
    .global rhumb_world_end
rhumb_world_start:
    .incbin "world.pmtiles"
rhumb_world_end:
    .byte 0
    .global rhumb_relief_start
    .global rhumb_relief_end
rhumb_relief_start:
    .incbin "relief.pmtiles"
rhumb_relief_end:
    .byte 0
    .balign 4096
    .global rhumb_places_start
    .global rhumb_places_end
rhumb_places_start:
    .incbin "places.db"
rhumb_places_end:
    .byte 0

// Embeds the manual and the commit as read-only data. `.incbin` looks in the header search path, Assets/.
#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack,"",%progbits
#endif
    .section .rodata
    .balign 16

// The commit that the Makefile builds from; empty for other builds.
    .global rhumb_commit_start
    .global rhumb_commit_end
rhumb_commit_start:
#if __has_include("../../.build/commit.txt")
    .incbin "../.build/commit.txt"
#endif
rhumb_commit_end:
    .byte 0

// The manual: before each page a form feed and its topic, which is also the name of its file.
.macro page topic
    .ascii "\f\topic\n"
    .incbin "manual/\topic\().md"
.endm

    .global rhumb_manual_start
    .global rhumb_manual_end
rhumb_manual_start:
    page start
    page maps
    page archives
    page archive-tools
    page geotiff
    page sources
    page regions
    page areas
    page packages
    page caching
    page styles
    page data
    page searching
    page screen-reader
    page routes
    page traffic
    page sharing
    page team
    page keys
    page configuration
    page scripting
    page json
    page privacy
    page security
    page promises
    page catalog
    page troubleshooting
    page changes
rhumb_manual_end:
    .byte 0

#pragma once
// Wide-character curses has to be asked for before the header is read.
#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1
#include <ncursesw/curses.h>
// setupterm, tigetstr and the other terminfo calls are not in curses.h.
#include <ncursesw/term.h>

// tparm is variadic, which Swift cannot call; two parameters are all that is needed.
static inline const char *rhumb_tparm(const char *capability, long first, long second) {
    return tparm(capability, first, second);
}

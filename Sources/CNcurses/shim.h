#pragma once
// Wide-character curses has to be asked for before the header is read.
#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1
#include <ncursesw/curses.h>

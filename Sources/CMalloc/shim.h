#pragma once
// Swift's Glibc has no `mallopt`.
#include <malloc.h>

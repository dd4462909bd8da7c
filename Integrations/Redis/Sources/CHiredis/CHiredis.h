#ifndef CHIREDIS_H
#define CHIREDIS_H

// stdlib.h first: the headers of hiredis 0.14 use its types without including it.
#include <stdlib.h>
#include <sys/time.h>
#if __has_include(<hiredis/hiredis.h>)
#include <hiredis/hiredis.h>
#else
#error "hiredis is missing: install libhiredis-dev, hiredis-devel (Fedora) or hiredis (Homebrew)"
#endif

#endif

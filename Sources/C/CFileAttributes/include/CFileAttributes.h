// The functions for extended attributes of files on systems with a Linux kernel. Darwin's module has its own.
#ifndef PREDICATE_CFILEATTRIBUTES_H
#define PREDICATE_CFILEATTRIBUTES_H

#if defined(__linux__) && __has_include(<sys/xattr.h>)
#include <sys/types.h>
#include <sys/xattr.h>
#endif

#endif

// The C functions that Embedded Swift calls and wasi-libc lacks, and those that must not need WASI: the module imports
// only a clock and random numbers.
#include <stdint.h>
#include <stdlib.h>

// From 0 up to 1.
__attribute__((import_module("env"), import_name("random"))) double host_random(void);
// Seconds since 1970-01-01 00:00 UTC.
__attribute__((import_module("env"), import_name("clock"))) double host_clock(void);

double predicate_clock(void) { return host_clock(); }

// The allocator of Swift traps if there is no memory left.
void *predicate_allocate_memory(size_t count) { return malloc(count); }
void predicate_free_memory(void *memory) { free(memory); }

// Seeds of hash tables, and random().
void arc4random_buf(void *buffer, size_t count) {
    unsigned char *bytes = buffer;
    for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(host_random() * 256);
}

const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
    char *end;
    *result = strtod(text, &end);
    return end;
}

const char *_swift_stdlib_strtof_clocale(const char *text, float *result) {
    char *end;
    *result = strtof(text, &end);
    return end;
}

uintptr_t __stack_chk_guard = 0x5bd1e995;
void __stack_chk_fail(void) { __builtin_trap(); }

// strtod refers to the functions of files, which it does not call for a text. EBADF.
int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file) { return 8; }
int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t offset, int32_t whence, int32_t result) {
    return 8;
}
int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t vectors, int32_t count, int32_t result) {
    return 8;
}

// The properties of code points and their canonical decompositions, in place of the standard library's functions, whose
// tables take 72 KB. unicode-tables.c makes the tables. .ci/wasm-test compares both for all code points.
#include <stdint.h>
#include "unicode-tables.h"

// Adds up LEB128 numbers. The first sum is 0.
static void sum(const uint8_t *byte, unsigned count, uint32_t *sums) {
    for (sums[0] = 0; count > 0; count--, sums++) {
        uint32_t number = 0;
        unsigned shift = 0;
        do number |= (uint32_t)(*byte & 127) << shift, shift += 7;
        while (*byte++ > 127);
        sums[1] = sums[0] + number;
    }
}

// The index of the last sum that is not greater.
static unsigned find(uint32_t number, const uint32_t *sums, unsigned count) {
    unsigned low = 0;
    for (unsigned high = count + 1; high - low > 1;) {
        unsigned middle = (low + high) / 2;
        if (sums[middle] <= number) low = middle;
        else high = middle;
    }
    return low;
}

// The first code point of each run, and the end.
static uint32_t starts[run_count + 1];

static unsigned kind(uint32_t scalar) {
    if (starts[run_count] == 0) sum(run_lengths, run_count, starts);
    return run_kinds[find(scalar, starts, run_count - 1)];
}

uint8_t _swift_stdlib_getGeneralCategory(uint32_t scalar) { return categories[kind(scalar)]; }
uint64_t _swift_stdlib_getBinaryProperties(uint32_t scalar) { return properties[kind(scalar)]; }

// 0, and the code points with a decomposition; and where the bytes of each begin.
static uint32_t scalars[decomposed_count + 1];
static uint16_t places[decomposed_count + 1];

const uint8_t *const _swift_stdlib_nfd_decompositions = decompositions;

// The lowest 18 bits are those of the code point if it has a decomposition; the others are its place.
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) {
    if (scalars[decomposed_count] == 0) {
        sum(decomposed, decomposed_count, scalars);
        for (unsigned index = 1; index < decomposed_count; index++) {
            places[index + 1] = places[index] + 1 + decompositions[places[index]];
        }
    }
    unsigned found = find(scalar, scalars, decomposed_count);
    if (found == 0 || scalars[found] != scalar) return ~scalar & 0x3FFFF;
    return scalar | (uint32_t)places[found] << 18;
}

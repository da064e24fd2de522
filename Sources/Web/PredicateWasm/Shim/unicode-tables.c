// Prints the properties of all code points and their canonical decompositions as C, in a form that takes less room than
// the tables of the standard library: .ci/wasm runs it natively with the same tables, and compiles the result with
// unicode.c.
#include <stdint.h>
#include <stdio.h>

uint8_t _swift_stdlib_getGeneralCategory(uint32_t scalar);
uint64_t _swift_stdlib_getBinaryProperties(uint32_t scalar);
// The lowest 18 bits are those of the code point if it has a decomposition; the others are its place.
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar);
extern const uint8_t *const _swift_stdlib_nfd_decompositions;

static uint8_t categories[65536];
static uint64_t properties[65536];
static unsigned lengths[65536], kinds[65536], kind_count, run_count;

// The number of the combination of a code point's properties.
static unsigned kind(uint32_t scalar) {
    uint8_t category = _swift_stdlib_getGeneralCategory(scalar);
    uint64_t property = _swift_stdlib_getBinaryProperties(scalar);
    unsigned found = 0;
    while (found < kind_count && (categories[found] != category || properties[found] != property)) found++;
    if (found == kind_count) {
        categories[kind_count] = category;
        properties[kind_count++] = property;
    }
    return found;
}

// LEB128.
static void print(unsigned number) {
    for (; number > 127; number >>= 7) printf("%u,", (number & 127) | 128);
    printf("%u,", number);
}

static const uint8_t *decomposition(uint32_t scalar) {
    uint32_t entry = _swift_stdlib_getDecompositionEntry(scalar);
    return (entry & 0x3FFFF) == scalar ? _swift_stdlib_nfd_decompositions + (entry >> 18) : 0;
}

int main(void) {
    for (uint32_t scalar = 0; scalar < 0x110000; scalar++) {
        unsigned next = kind(scalar);
        if (run_count == 0 || kinds[run_count - 1] != next) kinds[run_count++] = next;
        lengths[run_count - 1]++;
    }
    if (kind_count > 256) return 1;
    printf("enum { run_count = %u };\nstatic const uint8_t run_lengths[] = {", run_count);
    for (unsigned run = 0; run < run_count; run++) print(lengths[run]);
    printf("};\nstatic const uint8_t run_kinds[] = {");
    for (unsigned run = 0; run < run_count; run++) printf("%u,", kinds[run]);
    printf("};\nstatic const uint8_t categories[] = {");
    for (unsigned index = 0; index < kind_count; index++) printf("%u,", categories[index]);
    printf("};\nstatic const uint64_t properties[] = {");
    for (unsigned index = 0; index < kind_count; index++) printf("%lluu,", (unsigned long long)properties[index]);

    unsigned count = 0;
    printf("};\nstatic const uint8_t decomposed[] = {");
    for (uint32_t scalar = 0, last = 0; scalar < 0x40000; scalar++) {
        if (!decomposition(scalar)) continue;
        print(scalar - last);
        last = scalar;
        count++;
    }
    printf("};\nenum { decomposed_count = %u };\nstatic const uint8_t decompositions[] = {", count);
    for (uint32_t scalar = 0; scalar < 0x40000; scalar++) {
        const uint8_t *bytes = decomposition(scalar);
        if (bytes) for (unsigned index = 0; index <= bytes[0]; index++) printf("%u,", bytes[index]);
    }
    printf("};\n");
}

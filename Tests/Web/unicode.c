// Compares the module's properties and decompositions of all code points with those of the standard library.
// .ci/wasm-test builds it natively, with the standard library's tables.
#define _swift_stdlib_getGeneralCategory our_category
#define _swift_stdlib_getBinaryProperties our_properties
#define _swift_stdlib_getDecompositionEntry our_entry
#define _swift_stdlib_nfd_decompositions our_decompositions
#include "../../Sources/Web/PredicateWasm/Shim/unicode.c"
#undef _swift_stdlib_getGeneralCategory
#undef _swift_stdlib_getBinaryProperties
#undef _swift_stdlib_getDecompositionEntry
#undef _swift_stdlib_nfd_decompositions
#include <stdio.h>
#include <string.h>

uint8_t _swift_stdlib_getGeneralCategory(uint32_t scalar);
uint64_t _swift_stdlib_getBinaryProperties(uint32_t scalar);
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar);
extern const uint8_t *const _swift_stdlib_nfd_decompositions;

static int decomposes_differently(uint32_t scalar) {
    uint32_t entry = _swift_stdlib_getDecompositionEntry(scalar), own = our_entry(scalar);
    if ((entry & 0x3FFFF) != scalar) return (own & 0x3FFFF) == scalar;
    const uint8_t *bytes = _swift_stdlib_nfd_decompositions + (entry >> 18);
    return (own & 0x3FFFF) != scalar || memcmp(our_decompositions + (own >> 18), bytes, bytes[0] + 1);
}

int main(void) {
    unsigned failures = 0;
    for (uint32_t scalar = 0; scalar < 0x110000; scalar++) {
        failures += our_category(scalar) != _swift_stdlib_getGeneralCategory(scalar)
            || our_properties(scalar) != _swift_stdlib_getBinaryProperties(scalar) || decomposes_differently(scalar);
    }
    printf("%u code points differ\n", failures);
    return failures > 0;
}

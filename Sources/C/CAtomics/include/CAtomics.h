// Operations on words that several threads use, each with one instruction of the processor. Swift has them in its module
// Synchronization, which needs macOS 15 and iOS 18. They are used by Atomic.swift.
#ifndef CATOMICS_H
#define CATOMICS_H

#include <stdbool.h>
#include <stdint.h>

/// Reads a word. The thread then sees all that another thread wrote before it stored the word.
static inline intptr_t atomic_word_load(const intptr_t *_Nonnull word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void atomic_word_store(intptr_t *_Nonnull word, intptr_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// Stores a new value and returns the old one.
static inline intptr_t atomic_word_exchange(intptr_t *_Nonnull word, intptr_t value) {
    return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}

/// Stores a value if the word is 0, and returns whether it was.
static inline bool atomic_word_fill(intptr_t *_Nonnull word, intptr_t value) {
    intptr_t expected = 0;
    return __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

#endif

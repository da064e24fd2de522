// Checks that the words need no lock.
#include "CAtomics.h"

_Static_assert(__atomic_always_lock_free(sizeof(intptr_t), 0), "atomic words");

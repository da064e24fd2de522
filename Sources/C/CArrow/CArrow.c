// Checks that the structures have the sizes that drivers expect.
#include "CArrow.h"

#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(struct ArrowSchema) == 72, "ArrowSchema");
_Static_assert(sizeof(struct ArrowArray) == 80, "ArrowArray");
_Static_assert(sizeof(struct ArrowArrayStream) == 40, "ArrowArrayStream");
_Static_assert(offsetof(struct AdbcError, private_data) == 32, "AdbcError of 1.0");
_Static_assert(sizeof(struct AdbcError) == 48, "AdbcError of 1.1");
#endif
_Static_assert(offsetof(struct AdbcDriver, ErrorGetDetailCount) == 29 * sizeof(void *), "AdbcDriver of 1.0");
_Static_assert(sizeof(struct AdbcDriver) == 58 * sizeof(void *), "AdbcDriver of 1.1");

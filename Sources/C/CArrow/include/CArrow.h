// The C interface between this package and database drivers: columns of values (Apache Arrow's C data and C stream
// interfaces) and the functions of a driver (ADBC 1.1). The order of the members is that of the public specifications:
// https://arrow.apache.org/docs/format/CDataInterface.html and https://arrow.apache.org/adbc/current/cpp/api/adbc.html.
// CArrow.c checks the sizes.
#ifndef PREDICATE_CARROW_H
#define PREDICATE_CARROW_H

#include <stddef.h>
#include <stdint.h>

// The type of a column.
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

// The values of a column.
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

// Batches of rows. A function returns 0 or a value of errno; an array without `release` is the end.
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

typedef uint8_t AdbcStatusCode;

struct AdbcDriver;

struct AdbcError {
    char *message;
    int32_t vendor_code;
    char sqlstate[5];
    void (*release)(struct AdbcError *);
    // Since 1.1, and only if the caller has set `vendor_code` to INT32_MIN.
    void *private_data;
    struct AdbcDriver *private_driver;
};

struct AdbcErrorDetail {
    const char *key;
    const uint8_t *value;
    size_t value_length;
};

struct AdbcDatabase {
    void *private_data;
    struct AdbcDriver *private_driver;
};

struct AdbcConnection {
    void *private_data;
    struct AdbcDriver *private_driver;
};

struct AdbcStatement {
    void *private_data;
    struct AdbcDriver *private_driver;
};

// A function that this package does not call.
typedef void (*AdbcUnused)(void);

// The functions of a driver. Those that it does not have are null.
struct AdbcDriver {
    void *private_data;
    void *private_manager;
    AdbcStatusCode (*release)(struct AdbcDriver *, struct AdbcError *);

    AdbcStatusCode (*DatabaseInit)(struct AdbcDatabase *, struct AdbcError *);
    AdbcStatusCode (*DatabaseNew)(struct AdbcDatabase *, struct AdbcError *);
    AdbcStatusCode (*DatabaseSetOption)(struct AdbcDatabase *, const char *, const char *, struct AdbcError *);
    AdbcStatusCode (*DatabaseRelease)(struct AdbcDatabase *, struct AdbcError *);

    AdbcUnused ConnectionCommit;
    AdbcStatusCode (*ConnectionGetInfo)(
        struct AdbcConnection *, const uint32_t *, size_t, struct ArrowArrayStream *, struct AdbcError *);
    AdbcUnused ConnectionGetObjects;
    AdbcUnused ConnectionGetTableSchema;
    AdbcUnused ConnectionGetTableTypes;
    AdbcStatusCode (*ConnectionInit)(struct AdbcConnection *, struct AdbcDatabase *, struct AdbcError *);
    AdbcStatusCode (*ConnectionNew)(struct AdbcConnection *, struct AdbcError *);
    AdbcStatusCode (*ConnectionSetOption)(struct AdbcConnection *, const char *, const char *, struct AdbcError *);
    AdbcUnused ConnectionReadPartition;
    AdbcStatusCode (*ConnectionRelease)(struct AdbcConnection *, struct AdbcError *);
    AdbcUnused ConnectionRollback;

    AdbcStatusCode (*StatementBind)(
        struct AdbcStatement *, struct ArrowArray *, struct ArrowSchema *, struct AdbcError *);
    AdbcUnused StatementBindStream;
    AdbcStatusCode (*StatementExecuteQuery)(
        struct AdbcStatement *, struct ArrowArrayStream *, int64_t *, struct AdbcError *);
    AdbcUnused StatementExecutePartitions;
    AdbcUnused StatementGetParameterSchema;
    AdbcStatusCode (*StatementNew)(struct AdbcConnection *, struct AdbcStatement *, struct AdbcError *);
    AdbcStatusCode (*StatementPrepare)(struct AdbcStatement *, struct AdbcError *);
    AdbcStatusCode (*StatementRelease)(struct AdbcStatement *, struct AdbcError *);
    AdbcUnused StatementSetOption;
    AdbcStatusCode (*StatementSetSqlQuery)(struct AdbcStatement *, const char *, struct AdbcError *);
    AdbcUnused StatementSetSubstraitPlan;

    // Since 1.1.
    int (*ErrorGetDetailCount)(const struct AdbcError *);
    struct AdbcErrorDetail (*ErrorGetDetail)(const struct AdbcError *, int);
    const struct AdbcError *(*ErrorFromArrayStream)(struct ArrowArrayStream *, AdbcStatusCode *);

    AdbcUnused DatabaseGetOption;
    AdbcUnused DatabaseGetOptionBytes;
    AdbcUnused DatabaseGetOptionDouble;
    AdbcUnused DatabaseGetOptionInt;
    AdbcUnused DatabaseSetOptionBytes;
    AdbcUnused DatabaseSetOptionDouble;
    AdbcUnused DatabaseSetOptionInt;

    // May be called while another thread is in a function of the connection.
    AdbcStatusCode (*ConnectionCancel)(struct AdbcConnection *, struct AdbcError *);
    AdbcUnused ConnectionGetOption;
    AdbcUnused ConnectionGetOptionBytes;
    AdbcUnused ConnectionGetOptionDouble;
    AdbcUnused ConnectionGetOptionInt;
    AdbcUnused ConnectionGetStatistics;
    AdbcUnused ConnectionGetStatisticNames;
    AdbcUnused ConnectionSetOptionBytes;
    AdbcUnused ConnectionSetOptionDouble;
    AdbcUnused ConnectionSetOptionInt;

    AdbcUnused StatementCancel;
    AdbcUnused StatementExecuteSchema;
    AdbcUnused StatementGetOption;
    AdbcUnused StatementGetOptionBytes;
    AdbcUnused StatementGetOptionDouble;
    AdbcUnused StatementGetOptionInt;
    AdbcUnused StatementSetOptionBytes;
    AdbcUnused StatementSetOptionDouble;
    AdbcUnused StatementSetOptionInt;
};

#endif

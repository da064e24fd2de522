// The declarations of Android's C library that this package uses, with its types and its nullability, which other
// systems do not have. Written from its documentation; Debian has no package with its headers. For type checks only.
#pragma once
#include <stddef.h>
#include <stdint.h>
#pragma clang assume_nonnull begin

typedef int pid_t;
typedef unsigned int mode_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef long ssize_t;
typedef long off_t;
typedef long time_t;
typedef long suseconds_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };

// math.h, time.h
double pow(double, double);
double exp(double);
double log(double);
double log10(double);
double sin(double);
double cos(double);
double asin(double);
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
typedef int clockid_t;
int clock_gettime(clockid_t, struct timespec *);
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *_Nullable tm_zone; };
struct tm *_Nullable localtime_r(const time_t *, struct tm *);

// pthread.h
typedef long pthread_t;
typedef struct { uint32_t flags; void *_Nullable stack_base; size_t stack_size, guard_size; int32_t sched_policy, sched_priority; char __reserved[16]; } pthread_attr_t;
typedef struct { int32_t __private[10]; } pthread_mutex_t;
typedef long pthread_mutexattr_t;
pthread_t pthread_self(void);
int pthread_getattr_np(pthread_t, pthread_attr_t *);
int pthread_attr_getstack(const pthread_attr_t *, void *_Nullable *_Nonnull, size_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *_Nullable);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);

// dlfcn.h
#define RTLD_LOCAL 0
#define RTLD_LAZY 0x00001
#define RTLD_NOW 0x00002
#define RTLD_GLOBAL 0x00100
void *_Nullable dlopen(const char *_Nullable, int);
void *_Nullable dlsym(void *_Null_unspecified, const char *_Nullable);
char *_Nullable dlerror(void);

// errno.h, fcntl.h, poll.h, stdlib.h, string.h, sys/stat.h, unistd.h
#define EINTR 4
#define EAGAIN 11
#define EISDIR 21
#define EPIPE 32
#define O_RDONLY 00000000
#define O_CLOEXEC 02000000
#define SEEK_SET 0
#define SEEK_CUR 1
#define POLLIN 0x0001
#define POLLOUT 0x0004
struct pollfd { int fd; short events; short revents; };
typedef unsigned int nfds_t;
int poll(struct pollfd *_Nullable, nfds_t, int);
struct stat {
    dev_t st_dev; ino_t st_ino; unsigned long st_nlink; mode_t st_mode; uid_t st_uid; gid_t st_gid; unsigned int __pad0;
    dev_t st_rdev; off_t st_size; long st_blksize; long st_blocks; struct timespec st_atim, st_mtim, st_ctim; long __pad3[3];
};
int fstat(int, struct stat *);
int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
char *_Nullable getenv(const char *);
char *_Nullable realpath(const char *, char *_Nullable);
void exit(int) __attribute__((noreturn));
#define _SC_NPROCESSORS_ONLN 0x0061
long sysconf(int);

// dirent.h, sys/xattr.h
typedef struct DIR DIR;
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
DIR *_Nullable opendir(const char *);
struct dirent *_Nullable readdir(DIR *);
int closedir(DIR *);
ssize_t fgetxattr(int, const char *, void *_Nullable, size_t);
ssize_t flistxattr(int, char *_Nullable, size_t);
int fsetxattr(int, const char *, const void *, size_t, int);

int close(int);
int isatty(int);
off_t lseek(int, off_t, int);
ssize_t read(int, void *_Null_unspecified, size_t);
ssize_t write(int, const void *_Null_unspecified, size_t);
extern char *_Nullable *_Nullable environ;
void *_Nullable memchr(const void *, int, size_t);
char *strerror(int);
char *_Nullable strdup(const char *);
void free(void *_Nullable);

// signal.h, spawn.h, sys/wait.h
typedef unsigned long sigset_t;
typedef void (*sighandler_t)(int);
#define SIG_BLOCK 0
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGPIPE 13
#define SIGTERM 15
#define SIGTSTP 20
#define SIGWINCH 28
sighandler_t signal(int, sighandler_t _Nullable);
int raise(int);
int sigaddset(sigset_t *, int);
int sigemptyset(sigset_t *);
int sigprocmask(int, const sigset_t *_Nullable, sigset_t *_Nullable);
#define POSIX_SPAWN_SETSIGDEF 4
#define POSIX_SPAWN_SETSIGMASK 8
typedef struct __posix_spawnattr *posix_spawnattr_t;
typedef struct __posix_spawn_file_actions *posix_spawn_file_actions_t;
int posix_spawn(pid_t *_Nullable, const char *, const posix_spawn_file_actions_t _Nonnull *_Nullable, const posix_spawnattr_t _Nonnull *_Nullable, char *const _Nullable[_Nullable], char *const _Nullable[_Nullable]);
int posix_spawnattr_init(posix_spawnattr_t _Nullable *_Nonnull);
int posix_spawnattr_destroy(posix_spawnattr_t _Nonnull *_Nonnull);
int posix_spawnattr_setflags(posix_spawnattr_t _Nonnull *_Nonnull, short);
int posix_spawnattr_setsigmask(posix_spawnattr_t _Nonnull *_Nonnull, const sigset_t *);
int posix_spawnattr_setsigdefault(posix_spawnattr_t _Nonnull *_Nonnull, const sigset_t *);
pid_t waitpid(pid_t, int *_Nullable, int);

// sys/ioctl.h, sys/select.h, termios.h
#define TIOCGWINSZ 0x5413
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
typedef struct { unsigned long fds_bits[16]; } fd_set;
int pselect(int, fd_set *_Nullable, fd_set *_Nullable, fd_set *_Nullable, const struct timespec *_Nullable, const sigset_t *_Nullable);
#define BRKINT 0x002
#define ICRNL 0x100
#define INPCK 0x010
#define ISTRIP 0x020
#define IXON 0x0400
#define CS8 0x00000030
#define ECHO 0x00008
#define ICANON 0x00002
#define IEXTEN 0x08000
#define ISIG 0x00001
#define VMIN 6
#define VTIME 5
#define TCSANOW 0
#define TCSADRAIN 1
typedef unsigned int tcflag_t;
typedef unsigned char cc_t;
struct termios { tcflag_t c_iflag, c_oflag, c_cflag, c_lflag; cc_t c_line; cc_t c_cc[19]; };
int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);
#pragma clang assume_nonnull end

// The declarations of Darwin's C library that this package uses, with Darwin's own types. For type checks only.
#pragma once
#include <stddef.h>
#include <stdint.h>
#pragma clang assume_nonnull begin
typedef int32_t pid_t; typedef uint16_t mode_t; typedef int64_t off_t; typedef int32_t dev_t; typedef uint16_t nlink_t; typedef uint64_t ino_t; typedef uint32_t uid_t; typedef uint32_t gid_t;
typedef long ssize_t; typedef uint32_t sigset_t; typedef unsigned long tcflag_t; typedef unsigned char cc_t; typedef unsigned long speed_t; typedef uint32_t nfds_t; typedef long time_t; typedef int32_t suseconds_t;
typedef struct _opaque_pthread_t *pthread_t;
pthread_t pthread_self(void); void *pthread_get_stackaddr_np(pthread_t); size_t pthread_get_stacksize_np(pthread_t);
typedef struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; } pthread_mutex_t; typedef struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; } pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *_Nullable); int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *); int pthread_mutex_destroy(pthread_mutex_t *);
typedef struct os_unfair_lock_s { uint32_t _os_unfair_lock_opaque; } os_unfair_lock, *os_unfair_lock_t; void os_unfair_lock_lock(os_unfair_lock_t); void os_unfair_lock_unlock(os_unfair_lock_t); _Bool os_unfair_lock_trylock(os_unfair_lock_t);
double pow(double,double); double fmod(double,double); double log(double); double log10(double); double log2(double); double exp(double); double floor(double); double ceil(double); double trunc(double); double round(double); double sqrt(double); double fabs(double);
double remainder(double,double); double rint(double); double ldexp(double,int); double sin(double); double cos(double); double tan(double); double asin(double); double acos(double); double atan(double); double atan2(double,double); double cbrt(double); double hypot(double,double); double log1p(double); double expm1(double); double sinh(double); double cosh(double); double tanh(double); double nearbyint(double);
double strtod(const char *, char *_Nullable *_Nullable); char *_Nullable getenv(const char *); int setenv(const char *, const char *, int); int unsetenv(const char *);
int memcmp(const void *, const void *, size_t); void *memcpy(void *, const void *, size_t); void *_Nullable memchr(const void *, int, size_t); void *_Nullable memmem(const void *, size_t, const void *, size_t); size_t strlen(const char *); void *memset(void *, int, size_t); char *_Nullable strerror(int);
void *_Nullable malloc(size_t); void free(void *_Nullable);
void *_Nullable dlopen(const char *_Nullable, int); void *_Nullable dlsym(void *_Nullable, const char *); int dlclose(void *); char *_Nullable dlerror(void);
#define RTLD_LAZY 0x1
#define RTLD_NOW 0x2
#define RTLD_LOCAL 0x4
#define RTLD_GLOBAL 0x8
struct timespec { long tv_sec; long tv_nsec; }; struct timeval { time_t tv_sec; suseconds_t tv_usec; };
typedef enum : unsigned { CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 6, CLOCK_THREAD_CPUTIME_ID = 16, CLOCK_PROCESS_CPUTIME_ID = 12 } clockid_t;
int clock_gettime(clockid_t, struct timespec *);
int *__error(void);
long sysconf(int);
#define _SC_NPROCESSORS_ONLN 58
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define EACCES 13
#define EEXIST 17
#define EXDEV 18
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOTSUP 45
#define O_RDONLY 0x0
#define O_WRONLY 0x1
#define F_SETFD 2
#define FD_CLOEXEC 1
#define O_RDWR 0x2
#define O_NONBLOCK 0x4
#define O_APPEND 0x8
#define O_NOFOLLOW 0x100
#define O_CREAT 0x200
#define O_TRUNC 0x400
#define O_EXCL 0x800
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#define POLLIN 0x1
#define POLLOUT 0x4
#define PATH_MAX 1024
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define O_NOCTTY 0x20000
#define COPYFILE_ACL 1
#define COPYFILE_XATTR 4
typedef uint32_t copyfile_flags_t; typedef struct _copyfile_state *copyfile_state_t;
int copyfile(const char *, const char *, copyfile_state_t _Nullable, copyfile_flags_t); gid_t getegid(void);
#define AT_FDCWD -2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
int usleep(uint32_t); ssize_t read(int, void *_Nullable, size_t); ssize_t write(int, const void *_Nullable, size_t); int close(int); off_t lseek(int, off_t, int); int fsync(int); int ftruncate(int, off_t); int flock(int, int); int isatty(int); int unlink(const char *); int rmdir(const char *);
int mkdir(const char *, mode_t); int rename(const char *, const char *); int link(const char *, const char *); int symlink(const char *, const char *); ssize_t readlink(const char *, char *, size_t); int chmod(const char *, mode_t); int fchmod(int, mode_t); int fchown(int, uid_t, gid_t); int access(const char *, int); char *_Nullable realpath(const char *, char *_Nullable); int mkstemp(char *); char *_Nullable getcwd(char *_Nullable, size_t); pid_t getpid(void); mode_t umask(mode_t); uid_t geteuid(void); int dup(int); int dup2(int, int); int pipe(int *); void _exit(int); void exit(int);
struct stat { dev_t st_dev; mode_t st_mode; nlink_t st_nlink; ino_t st_ino; uid_t st_uid; gid_t st_gid; dev_t st_rdev; struct timespec st_atimespec; struct timespec st_mtimespec; struct timespec st_ctimespec; struct timespec st_birthtimespec; off_t st_size; int64_t st_blocks; int32_t st_blksize; uint32_t st_flags; uint32_t st_gen; };
int fstat(int, struct stat *); int stat(const char *, struct stat *); int lstat(const char *, struct stat *);
typedef struct DIR_s DIR; struct dirent { ino_t d_ino; uint64_t d_seekoff; uint16_t d_reclen; uint16_t d_namlen; uint8_t d_type; char d_name[1024]; };
DIR *_Nullable opendir(const char *); struct dirent *_Nullable readdir(DIR *); int closedir(DIR *);
#define DT_DIR 4
#define DT_REG 8
#define DT_LNK 10
struct pollfd { int fd; short events; short revents; }; int poll(struct pollfd *, nfds_t, int);
typedef void (*sig_t)(int); sig_t _Nullable signal(int, sig_t _Nullable);
#define SIGINT 2
#define SIGPIPE 13
#define SIGTERM 15
#define SIGWINCH 28
#define SIGHUP 1
#define SIGTSTP 18
#define SIGCONT 19
#define SIGSTOP 17
#define SIGQUIT 3
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
int sigemptyset(sigset_t *); int sigaddset(sigset_t *, int); int sigprocmask(int, const sigset_t *_Nullable, sigset_t *_Nullable); int kill(pid_t, int); int raise(int);
typedef struct fd_set { int32_t fds_bits[32]; } fd_set; int pselect(int, fd_set *_Nullable, fd_set *_Nullable, fd_set *_Nullable, const struct timespec *_Nullable, const sigset_t *_Nullable); int select(int, fd_set *_Nullable, fd_set *_Nullable, fd_set *_Nullable, struct timeval *_Nullable);
struct termios { tcflag_t c_iflag; tcflag_t c_oflag; tcflag_t c_cflag; tcflag_t c_lflag; cc_t c_cc[20]; speed_t c_ispeed; speed_t c_ospeed; };
int tcgetattr(int, struct termios *); int tcsetattr(int, int, const struct termios *);
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
#define BRKINT 0x2
#define INPCK 0x10
#define ISTRIP 0x20
#define ICRNL 0x100
#define IXON 0x200
#define OPOST 0x1
#define CS8 0x300
#define ECHO 0x8
#define ICANON 0x100
#define IEXTEN 0x400
#define ISIG 0x80
#define VMIN 16
#define VTIME 17
struct winsize { unsigned short ws_row; unsigned short ws_col; unsigned short ws_xpixel; unsigned short ws_ypixel; };
typedef void *posix_spawnattr_t; typedef void *posix_spawn_file_actions_t;
int posix_spawnattr_init(posix_spawnattr_t _Nullable *_Nonnull); int posix_spawnattr_destroy(posix_spawnattr_t _Nullable *_Nonnull); int posix_spawnattr_setsigmask(posix_spawnattr_t _Nullable *_Nonnull, const sigset_t *); int posix_spawnattr_setflags(posix_spawnattr_t _Nullable *_Nonnull, short); int posix_spawnattr_setsigdefault(posix_spawnattr_t _Nullable *_Nonnull, const sigset_t *);
int posix_spawnp(pid_t *_Nullable, const char *, const posix_spawn_file_actions_t _Nullable *_Nullable, const posix_spawnattr_t _Nullable *_Nullable, char *_Nullable const *_Nonnull, char *_Nullable const *_Nullable);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t _Nullable *_Nonnull); int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t _Nullable *_Nonnull); int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t _Nullable *_Nonnull, int, int); int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t _Nullable *_Nonnull, int, const char *_Nonnull, int, mode_t);
int posix_spawn(pid_t *_Nullable, const char *, const posix_spawn_file_actions_t _Nullable *_Nullable, const posix_spawnattr_t _Nullable *_Nullable, char *_Nullable const *_Nonnull, char *_Nullable const *_Nullable);
#define POSIX_SPAWN_SETSIGMASK 0x8
#define POSIX_SPAWN_SETSIGDEF 0x4
char *_Nullable *_Nonnull *_Nonnull _NSGetEnviron(void); pid_t waitpid(pid_t, int *_Nullable, int);
char *_Nullable strdup(const char *_Nullable);
typedef struct __sFILE FILE; extern FILE *__stdinp; extern FILE *__stdoutp; extern FILE *__stderrp; size_t fwrite(const void *, size_t, size_t, FILE *); int fflush(FILE *_Nullable); int fputs(const char *, FILE *);
time_t time(time_t *_Nullable); struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; char *_Nullable tm_zone; }; struct tm *_Nullable localtime_r(const time_t *, struct tm *); struct tm *_Nullable gmtime_r(const time_t *, struct tm *);
uint32_t arc4random(void); void arc4random_buf(void *, size_t);
#pragma clang assume_nonnull end

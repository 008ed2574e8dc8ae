/* Between a program and its disk (LD_PRELOAD): notes every write and sync below a folder, and fails them when told to.
 *
 * DISK_FOLDER  files whose paths begin so are watched
 * DISK_LOG     the notes, one after another: char what, u32 length of the path, u64 at, u64 length of the data, path, data
 *              C created, W written at, T truncated to, S synced, X a sync that failed, N the folder's names synced,
 *              U unlinked, R renamed (data: the new path), A what went to standard output (performed, too)
 * DISK_ILL     a file of one byte that says how the disk is: 0 well, F full, I input/output error on writing,
 *              S on syncing, H half of what is written, O only readable
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST 1024

static char *paths[MOST];
static int log_file = -1, ready;
static const char *folder = "";
static size_t folder_length;
static const volatile char *ill;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void prepare(void) {
  if (ready) return;
  ready = 1;
  const char *found = getenv("DISK_FOLDER"), *log = getenv("DISK_LOG"), *told = getenv("DISK_ILL");
  if (found) folder = found, folder_length = strlen(found);
  if (log) {
    int fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    log_file = fcntl(fd, F_DUPFD_CLOEXEC, 900); /* out of the way: nobody counts on such a number */
    syscall(SYS_close, fd);
  }
  if (told) {
    int fd = syscall(SYS_openat, AT_FDCWD, told, O_RDONLY | O_CLOEXEC, 0);
    ill = mmap(0, 1, PROT_READ, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
  }
}

static char how(void) { return ill ? *ill : 0; }

static void note(char what, const char *path, uint64_t at, const void *data, uint64_t length) {
  if (log_file < 0) return;
  char head[21];
  uint32_t size = strlen(path);
  head[0] = what;
  memcpy(head + 1, &size, 4), memcpy(head + 5, &at, 8), memcpy(head + 13, &length, 8);
  struct iovec all[3] = {{head, 21}, {(void *)path, size}, {(void *)data, length}};
  syscall(SYS_writev, log_file, all, length ? 3 : 2);
}

static int watched(const char *path) {
  prepare();
  while (path[0] == '/' && path[1] == '/') path++; /* User-Mode Linux says so */
  return folder_length && !strncmp(path, folder, folder_length);
}
static const char *path_of(int fd) { return fd >= 0 && fd < MOST ? paths[fd] : 0; }
static int failed(int code) { errno = code; return -1; }

static int opened(int fd, const char *path, int flags, int was) {
  if (fd < 0 || fd >= MOST) return fd;
  pthread_mutex_lock(&gate);
  free(paths[fd]);
  paths[fd] = watched(path) ? strdup(path) : 0;
  if (paths[fd] && !was && (flags & O_CREAT)) note('C', path, 0, 0, 0);
  if (paths[fd] && was && (flags & O_TRUNC)) note('T', path, 0, 0, 0);
  pthread_mutex_unlock(&gate);
  return fd;
}

#define OPENED(place)                                                                          \
  int mode = 0;                                                                                \
  if (flags & O_CREAT) { va_list more; va_start(more, flags); mode = va_arg(more, int); va_end(more); } \
  struct stat before;                                                                          \
  int was = !syscall(SYS_newfstatat, place, path, &before, 0), writes = (flags & O_ACCMODE) != O_RDONLY; \
  if (watched(path) && writes && how() == 'O') return failed(EROFS);                            \
  if (watched(path) && (flags & O_CREAT) && !was && how() == 'F') return failed(ENOSPC);        \
  return opened(syscall(SYS_openat, place, path, flags, mode), path, flags, was)
int open(const char *path, int flags, ...) { OPENED(AT_FDCWD); }
int open64(const char *path, int flags, ...) { OPENED(AT_FDCWD); }
int openat(int place, const char *path, int flags, ...) { OPENED(place); }
int openat64(int place, const char *path, int flags, ...) { OPENED(place); }

int close(int fd) {
  if (path_of(fd)) {
    pthread_mutex_lock(&gate);
    free(paths[fd]), paths[fd] = 0;
    pthread_mutex_unlock(&gate);
  }
  return syscall(SYS_close, fd);
}

static ssize_t put(int fd, const void *data, size_t length, off_t at, int there) {
  char now = how();
  if (now == 'F') return failed(ENOSPC);
  if (now == 'I') return failed(EIO);
  if (now == 'O') return failed(EROFS);
  if (now == 'H' && length > 1) length /= 2;
  pthread_mutex_lock(&gate);
  if (!there) at = fcntl(fd, F_GETFL) & O_APPEND ? syscall(SYS_lseek, fd, 0, SEEK_END) : syscall(SYS_lseek, fd, 0, SEEK_CUR);
  ssize_t done = there ? syscall(SYS_pwrite64, fd, data, length, at) : syscall(SYS_write, fd, data, length);
  if (done > 0) note('W', path_of(fd), at, data, done);
  pthread_mutex_unlock(&gate);
  return done;
}
ssize_t write(int fd, const void *data, size_t length) {
  prepare();
  if (path_of(fd)) return put(fd, data, length, 0, 0);
  ssize_t done = syscall(SYS_write, fd, data, length);
  if (fd == 1 && done > 0) note('A', "", 0, data, done);
  return done;
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
  return path_of(fd) ? put(fd, data, length, at, 1) : syscall(SYS_pwrite64, fd, data, length, at);
}
ssize_t pwrite64(int fd, const void *data, size_t length, off_t at) { return pwrite(fd, data, length, at); }

static int synced(int fd, long call) {
  if (!path_of(fd)) return syscall(call, fd);
  struct stat about;
  fstat(fd, &about);
  pthread_mutex_lock(&gate);
  int bad = how() == 'S' || how() == 'I', done = bad ? failed(EIO) : syscall(call, fd);
  note(S_ISDIR(about.st_mode) ? 'N' : done ? 'X' : 'S', path_of(fd), 0, 0, 0);
  if (bad) errno = EIO;
  pthread_mutex_unlock(&gate);
  return done;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

int ftruncate(int fd, off_t length) {
  if (path_of(fd) && how() == 'O') return failed(EROFS);
  int done = syscall(SYS_ftruncate, fd, length);
  if (path_of(fd) && !done) note('T', path_of(fd), length, 0, 0);
  return done;
}
int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }
int truncate(const char *path, off_t length) {
  int done = syscall(SYS_truncate, path, length);
  if (!done && watched(path)) note('T', path, length, 0, 0);
  return done;
}
int truncate64(const char *path, off_t length) { return truncate(path, length); }
int unlink(const char *path) {
  if (watched(path) && how() == 'O') return failed(EROFS);
  int done = syscall(SYS_unlink, path);
  if (!done && watched(path)) note('U', path, 0, 0, 0);
  return done;
}
int rename(const char *from, const char *to) {
  if (watched(from) && how() == 'O') return failed(EROFS);
  int done = syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
  if (!done && watched(from)) note('R', from, 0, to, strlen(to));
  return done;
}

// The standard streams of what is linked into libmote.so with --wrap (cmake/inside.cmake). Archives
// that are compiled for programs take libc's own pointers to be within reach, which in a shared
// library they are not; these are.
#include <cstdio>

extern "C" {
extern std::FILE *__real_stdin, *__real_stdout, *__real_stderr;
std::FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;

/// Before all other constructors.
__attribute__((constructor(101))) static void point_at_the_streams() {
  __wrap_stdin = __real_stdin;
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}
}

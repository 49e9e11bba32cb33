// The standard streams for archives linked into libmote.so with --wrap (cmake/inside.cmake). These
// archives were compiled for executables, with relocations that cannot address libc's pointers from
// a shared library but can address these.
#include <cstdio>

extern "C" {
extern std::FILE *__real_stdin, *__real_stdout, *__real_stderr;
std::FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;

/// Runs before all other constructors.
__attribute__((constructor(101))) static void point_at_the_streams() {
  __wrap_stdin = __real_stdin;
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}
}

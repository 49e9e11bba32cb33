#include "app/sweep/job_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "app/interrupt.h"
#include "engine/log.h"

namespace mote::app {

JobLock::JobLock(const std::filesystem::path& out, int number) {
  // Without O_CLOEXEC: a `mote resume` that the job has started inherits it, and keeps it when this
  // process is killed.
  file_ = ::open((out / ".lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
  if (file_ < 0) return;  // what writes there next will say why
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = number;
  byte.l_len = 1;
  // Of the open file and not of the process: jobs that step together are in one process.
  const auto try_it = [&] { return ::fcntl(file_, F_OFD_SETLK, &byte) == 0; };
  if (try_it() || (errno != EAGAIN && errno != EACCES)) return;
  engine::log().warn("another process is at work at job {}: waiting for its end", number);
  const InterruptGuard guard;
  while (!(held_ = try_it()) && !InterruptGuard::asked()) ::usleep(20'000);
}

JobLock::~JobLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace mote::app

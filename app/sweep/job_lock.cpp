#include "app/sweep/job_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "app/run/interrupt.h"
#include "engine/log.h"

namespace mote::app {

JobLock::JobLock(const std::filesystem::path& out, int number) {
  // Without O_CLOEXEC: a `mote resume` started by the job inherits the lock, and holds it even if
  // this process is killed.
  file_ = ::open((out / ".lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
  if (file_ < 0) return;  // the next write there reports the cause
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = number;
  byte.l_len = 1;
  // A lock of the open file, not of the process: batched jobs share one process.
  const auto try_it = [&] { return ::fcntl(file_, F_OFD_SETLK, &byte) == 0; };
  if (try_it() || (errno != EAGAIN && errno != EACCES)) return;
  engine::log().warn("another process is running job {}: waiting for its end", number);
  const InterruptGuard guard;
  while (!(held_ = try_it()) && !InterruptGuard::requested()) ::usleep(20'000);
}

JobLock::~JobLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace mote::app

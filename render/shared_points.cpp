#include "render/shared_points.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "engine/check.h"
#include "engine/log.h"
#include "engine/text.h"
#include "render/gl/handle.h"
#include "render/shared_points_cuda.h"

namespace mote::render {

namespace {

using engine::Index;

// one is shown, one may still be read by drawing in flight, one is written
constexpr int slot_count = 3;

}  // namespace

/// Buffers of one state of the points.
struct SharedSlot {
  BufferHandle positions, scalars, radii;
  float* host_positions = nullptr;  // null if CUDA writes
  float* host_scalars = nullptr;
  float* host_radii = nullptr;  // also null without radii
  SyncHandle fence;             // after the last drawing that reads it; null once that is complete

  SlotBuffers names() const { return {positions.name(), scalars.name(), radii ? radii.name() : 0}; }
  bool is_free();
};

bool SharedSlot::is_free() {
  if (!fence) return true;
  // The flush guarantees that the fence is eventually signalled although nothing waits for it.
  const GLenum state = glClientWaitSync(fence.get(), GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (state == GL_TIMEOUT_EXPIRED) return false;
  if (state == GL_WAIT_FAILED)
    throw engine::SystemError("check whether OpenGL has drawn a frame",
                              "the driver has lost its context",
                              "restart; if it happens again, see the system log");
  fence.reset();
  return true;
}

namespace {

/// False if the driver is out of memory.
bool allocate(GLuint buffer, std::uint64_t bytes, GLbitfield flags) {
  // clears earlier errors, which the debug callback has already logged
  while (glGetError() != GL_NO_ERROR) {
  }
  glNamedBufferStorage(buffer, static_cast<GLsizeiptr>(bytes), nullptr, flags);
  return glGetError() == GL_NO_ERROR;
}

float* map_persistently(GLuint buffer, std::uint64_t bytes) {
  constexpr GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  return static_cast<float*>(
      glMapNamedBufferRange(buffer, 0, static_cast<GLsizeiptr>(bytes), flags));
}

/// Allocates buffers for `count` points, written by the host or by CUDA. False if the driver is out
/// of memory.
bool make(SharedSlot& slot, Index count, bool radii, bool for_host) {
  // OpenGL does not allow empty buffers.
  const std::uint64_t scalars =
      sizeof(float) * static_cast<std::uint64_t>(std::max<Index>(count, 1));
  const std::uint64_t positions = floats_of_position * scalars;
  const GLbitfield flags =
      for_host ? GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT : 0;
  slot.positions = make_buffer();
  slot.scalars = make_buffer();
  if (!allocate(slot.positions.name(), positions, flags) ||
      !allocate(slot.scalars.name(), scalars, flags))
    return false;
  if (radii) slot.radii = make_buffer();
  if (radii && !allocate(slot.radii.name(), scalars, flags)) return false;
  if (!for_host) return true;
  slot.host_positions = map_persistently(slot.positions.name(), positions);
  slot.host_scalars = map_persistently(slot.scalars.name(), scalars);
  if (radii) slot.host_radii = map_persistently(slot.radii.name(), scalars);
  return slot.host_positions && slot.host_scalars && (slot.host_radii || !radii);
}

/// Not repeated when a scene is opened again.
void warn_once(const std::string& reason) {
  static std::set<std::string> reported;
  if (reported.insert(reason).second)
    engine::log().warn("points go to OpenGL through host memory: {}", reason);
}

}  // namespace

struct SharedPoints::Parts {
  Index count = 0;
  bool radii = false;
  ShareStatus status;
  std::array<SharedSlot, slot_count> slots;
  std::unique_ptr<CudaSlots> cuda;  // must be destroyed before the buffers that it has registered
  int shown = -1;
  int handed_out = -1;
  bool needs_fence = false;  // shown() was called, and the drawing is not fenced yet

  std::uint64_t bytes_of_point() const {
    return (floats_of_position + (radii ? 2 : 1)) * sizeof(float);
  }
  void choose(std::optional<int> device, ShareRequest request);
  bool make_slots(bool for_host);
  std::string try_interop(int device);
  void use_host(SharePath path, std::string reason);
  SharedTarget target_in(int slot);
  void fence_shown();
};

bool SharedPoints::Parts::make_slots(bool for_host) {
  slots = {};
  return std::all_of(slots.begin(), slots.end(),
                     [&](SharedSlot& slot) { return make(slot, count, radii, for_host); });
}

/// Returns why it failed, or "" on success.
std::string SharedPoints::Parts::try_interop(int device) {
  if (std::string reason = no_interop_reason(device); !reason.empty()) return reason;
  if (!make_slots(false))
    return "the GPU has no memory left for " + std::to_string(count) + " points";
  CudaSlotsAttempt attempt =
      open_cuda_slots(device, {slots[0].names(), slots[1].names(), slots[2].names()});
  cuda = std::move(attempt.slots);
  if (cuda) status.path = SharePath::interop;
  return attempt.reason;
}

void SharedPoints::Parts::use_host(SharePath path, std::string reason) {
  status.path = path;
  status.reason = std::move(reason);
  if (make_slots(true)) return;
  throw engine::SystemError("allocate OpenGL buffers for points",
                            "the driver has no memory for three frames of " +
                                std::to_string(count) + " points, " +
                                std::to_string(bytes_of_point()) + " bytes each",
                            "use fewer bodies, or run without pictures: mote run");
}

SharedTarget SharedPoints::Parts::target_in(int slot) {
  if (cuda) return cuda->map(slot);
  const SharedSlot& s = slots[static_cast<std::size_t>(slot)];
  return {{.positions = s.host_positions, .scalars = s.host_scalars, .radii = s.host_radii}, slot};
}

void SharedPoints::Parts::fence_shown() {
  if (shown >= 0)
    slots[static_cast<std::size_t>(shown)].fence.reset(
        glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
  needs_fence = false;
}

void SharedPoints::Parts::choose(std::optional<int> device, ShareRequest request) {
  if (!device && request == ShareRequest::interop)
    throw engine::InputError("--share",
                             "interop needs a simulation on the GPU, but this one runs on the CPU",
                             "use --backend cuda, or omit --share");
  if (!device) return use_host(SharePath::mapped, "");
  if (request == ShareRequest::copy) return use_host(SharePath::copy, "requested");
  std::string reason = try_interop(*device);
  if (reason.empty()) return;
  if (request == ShareRequest::interop)
    throw engine::SystemError("share points between CUDA and OpenGL", reason,
                              "use --share copy to pass them through host memory");
  warn_once(reason);
  use_host(SharePath::copy, std::move(reason));
}

SharedPoints::SharedPoints(Index count, std::optional<int> device, ShareRequest request, bool radii)
    : parts_(std::make_unique<Parts>()) {
  MOTE_EXPECT(count >= 0);
  if (count > max_shown)
    throw engine::SystemError(
        "show " + std::to_string(count) + " points",
        "their positions need a buffer of more than 4 GiB, which OpenGL does not draw correctly",
        "use at most " + engine::with_thousands(max_shown) + ", or run without a window: mote run");
  parts_->count = count;
  parts_->radii = radii;
  parts_->choose(device, request);
}

SharedPoints::~SharedPoints() = default;

std::optional<SharedTarget> SharedPoints::begin() {
  Parts& p = *parts_;
  if (p.handed_out >= 0) return {};
  for (int k = 1; k <= slot_count; ++k) {
    const int slot = (p.shown + k) % slot_count;
    if (slot == p.shown || !p.slots[static_cast<std::size_t>(slot)].is_free()) continue;
    const SharedTarget target = p.target_in(slot);
    p.handed_out = slot;
    return target;
  }
  return {};
}

bool SharedPoints::is_written() const {
  MOTE_EXPECT(parts_->handed_out >= 0);
  return !parts_->cuda || parts_->cuda->is_written();
}

void SharedPoints::wait_until_written() const {
  MOTE_EXPECT(parts_->handed_out >= 0);
  if (parts_->cuda) parts_->cuda->wait_until_written();
}

void SharedPoints::end(const SharedTarget& target) {
  Parts& p = *parts_;
  MOTE_EXPECT(target.slot >= 0 && target.slot == p.handed_out);
  p.handed_out = -1;
  if (p.cuda) p.cuda->unmap(target.slot);
  // Drawing without a call to `drawn` reads it all the same.
  if (p.needs_fence) p.fence_shown();
  p.shown = target.slot;
  p.status.frames += 1;
  if (!p.cuda) p.status.host_bytes += p.bytes_of_point() * static_cast<std::uint64_t>(p.count);
}

void SharedPoints::cancel(const SharedTarget& target) {
  MOTE_EXPECT(target.slot >= 0 && target.slot == parts_->handed_out);
  parts_->handed_out = -1;
  if (parts_->cuda) parts_->cuda->unmap(target.slot);
}

PointBuffers SharedPoints::shown() const {
  if (parts_->shown < 0) return {};
  parts_->needs_fence = true;
  const SlotBuffers names = parts_->slots[static_cast<std::size_t>(parts_->shown)].names();
  PointBuffers points;
  points.positions = names.positions;
  points.scalars = names.scalars;
  points.radii = names.radii;
  points.count = parts_->count;
  return points;
}

void SharedPoints::drawn() {
  parts_->fence_shown();
}

const ShareStatus& SharedPoints::status() const {
  return parts_->status;
}

}  // namespace mote::render

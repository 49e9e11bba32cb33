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

constexpr int slot_count = 3;  // one is shown, one may still be read by drawing that is under way,
                               // one is written

struct Slot {
  BufferHandle positions, scalars, radii;
  float* host_positions = nullptr;  // null where CUDA writes
  float* host_scalars = nullptr;
  float* host_radii = nullptr;  // null where there are none, too
  SyncHandle fence;             // behind the last drawing that reads it; null when that has ended

  SlotBuffers names() const { return {positions.name(), scalars.name(), radii ? radii.name() : 0}; }
  bool is_read_no_more();
};

bool Slot::is_read_no_more() {
  if (!fence) return true;
  // The flush makes sure that the fence is reached some time although nobody waits for it.
  const GLenum state = glClientWaitSync(fence.get(), GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (state == GL_TIMEOUT_EXPIRED) return false;
  if (state == GL_WAIT_FAILED)
    throw engine::SystemError("ask OpenGL whether a frame is drawn",
                              "the driver has lost its context",
                              "start again; if it happens again, the system's log says why");
  fence.reset();
  return true;
}

/// False when the driver has no memory for it.
bool allocate(GLuint buffer, std::uint64_t bytes, GLbitfield flags) {
  while (glGetError() != GL_NO_ERROR) {  // errors of others, which the driver's messages have told
                                         // already
  }
  glNamedBufferStorage(buffer, static_cast<GLsizeiptr>(bytes), nullptr, flags);
  return glGetError() == GL_NO_ERROR;
}

float* map_for_good(GLuint buffer, std::uint64_t bytes) {
  constexpr GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  return static_cast<float*>(
      glMapNamedBufferRange(buffer, 0, static_cast<GLsizeiptr>(bytes), flags));
}

/// Buffers for `count` points, which the host writes or CUDA does. False when the driver has no
/// memory for them.
bool make(Slot& slot, Index count, bool radii, bool for_host) {
  // OpenGL has no buffers of no bytes.
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
  slot.host_positions = map_for_good(slot.positions.name(), positions);
  slot.host_scalars = map_for_good(slot.scalars.name(), scalars);
  if (radii) slot.host_radii = map_for_good(slot.radii.name(), scalars);
  return slot.host_positions && slot.host_scalars && (slot.host_radii || !radii);
}

/// A scene that is opened again is not told again.
void warn_once(const std::string& reason) {
  static std::set<std::string> told;
  if (told.insert(reason).second)
    engine::log().warn("points go to OpenGL through host memory: {}", reason);
}

}  // namespace

struct SharedPoints::Parts {
  Index count = 0;
  bool radii = false;
  ShareStatus status;
  std::array<Slot, slot_count> slots;
  std::unique_ptr<CudaSlots> cuda;  // destroyed before the buffers that it has registered
  int shown = -1;
  int handed_out = -1;
  bool is_read = false;  // `shown` has been told, and no fence put behind the drawing yet

  std::uint64_t bytes_of_point() const {
    return (floats_of_position + (radii ? 2 : 1)) * sizeof(float);
  }
  void choose(std::optional<int> device, ShareWish wish);
  bool make_slots(bool for_host);
  std::string try_interop(int device);
  void use_host(SharePath path, std::string reason);
  SharedPlace place_in(int slot);
  void fence_shown();
};

bool SharedPoints::Parts::make_slots(bool for_host) {
  slots = {};
  return std::all_of(slots.begin(), slots.end(),
                     [&](Slot& slot) { return make(slot, count, radii, for_host); });
}

/// Why it cannot be, or "" when it can.
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
  throw engine::SystemError("get memory of OpenGL's driver for points",
                            "it has none for three frames of " + std::to_string(count) +
                                " points, " + std::to_string(bytes_of_point()) + " bytes each",
                            "use fewer bodies, or run without pictures: mote run");
}

SharedPlace SharedPoints::Parts::place_in(int slot) {
  if (cuda) return cuda->map(slot);
  const Slot& s = slots[static_cast<std::size_t>(slot)];
  return {slot, s.host_positions, s.host_scalars, s.host_radii, false, nullptr, nullptr};
}

void SharedPoints::Parts::fence_shown() {
  if (shown >= 0)
    slots[static_cast<std::size_t>(shown)].fence.reset(
        glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
  is_read = false;
}

void SharedPoints::Parts::choose(std::optional<int> device, ShareWish wish) {
  if (!device && wish == ShareWish::interop)
    throw engine::InputError("--share",
                             "interop shares the memory of a GPU that steps, but the CPU does",
                             "use --backend cuda, or leave --share away");
  if (!device) return use_host(SharePath::mapped, "");
  if (wish == ShareWish::copy) return use_host(SharePath::copy, "asked for");
  std::string reason = try_interop(*device);
  if (reason.empty()) return;
  if (wish == ShareWish::interop)
    throw engine::SystemError("share points between CUDA and OpenGL", reason,
                              "--share copy takes them through host memory");
  warn_once(reason);
  use_host(SharePath::copy, std::move(reason));
}

SharedPoints::SharedPoints(Index count, std::optional<int> device, ShareWish wish, bool radii)
    : parts_(std::make_unique<Parts>()) {
  MOTE_EXPECT(count >= 0);
  if (count > most_shown)
    throw engine::SystemError(
        "show " + std::to_string(count) + " points",
        "their places need more than the 4 GiB of a buffer that OpenGL draws right from",
        "use at most " + engine::with_thousands(most_shown) +
            ", or run without a window: mote run");
  parts_->count = count;
  parts_->radii = radii;
  parts_->choose(device, wish);
}

SharedPoints::~SharedPoints() = default;

std::optional<SharedPlace> SharedPoints::begin() {
  Parts& p = *parts_;
  if (p.handed_out >= 0) return {};
  for (int k = 1; k <= slot_count; ++k) {
    const int slot = (p.shown + k) % slot_count;
    if (slot == p.shown || !p.slots[static_cast<std::size_t>(slot)].is_read_no_more()) continue;
    const SharedPlace place = p.place_in(slot);
    p.handed_out = slot;
    return place;
  }
  return {};
}

void SharedPoints::end(const SharedPlace& place) {
  Parts& p = *parts_;
  MOTE_EXPECT(place.slot >= 0 && place.slot == p.handed_out);
  p.handed_out = -1;
  if (p.cuda) p.cuda->unmap(place.slot);
  // Drawing that was not followed by `drawn` reads it all the same.
  if (p.is_read) p.fence_shown();
  p.shown = place.slot;
  p.status.frames += 1;
  if (!p.cuda) p.status.host_bytes += p.bytes_of_point() * static_cast<std::uint64_t>(p.count);
}

void SharedPoints::give_up(const SharedPlace& place) {
  MOTE_EXPECT(place.slot >= 0 && place.slot == parts_->handed_out);
  parts_->handed_out = -1;
  if (parts_->cuda) parts_->cuda->unmap(place.slot);
}

PointBuffers SharedPoints::shown() const {
  if (parts_->shown < 0) return {};
  parts_->is_read = true;
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

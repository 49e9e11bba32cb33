#pragma once

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "sim/gravity/multipole/acceptance.h"
#include "sim/gravity/multipole/expansion_view.h"
#include "sim/gravity/multipole/tree_view.h"

/// The walk on a GPU, level by level: a warp per target sorts the cells that its parent left open
/// into those that act on it as a whole, leaves that act body by body, and those that its children
/// look at again. Lists are in the order in which cells are looked at, and where they are in memory
/// makes no difference.
namespace mote::sim::walk {

using engine::all_lanes;

inline constexpr int warps = 4;
inline constexpr int threads = 32 * warps;

/// Cells whose children are to be looked at. Four are taken at a time, of the last ones, and at
/// most 32 of their children are added; more only once there are fewer than four.
inline constexpr int stack_size = 3 + 32 + 28 * 2 * hilbert::levels;
/// Most cells of a chunk: what a warp sums at once.
inline constexpr int far_chunk = 256, rest_chunk = 128;
inline constexpr int scratch_words = stack_size + far_chunk + rest_chunk;
inline constexpr std::size_t shared_bytes = warps * scratch_words * sizeof(std::uint32_t);

/// A list that a warp writes.
struct ListWriter {
  std::uint32_t* stage;
  int room;  ///< of the stage
  const ListView& lists;
  TreeControl& control;
  std::uint32_t cell;
  std::uint32_t bodies;  ///< of a leaf, for its near leaves
  enum class Use { far, near, open } use;
  std::uint32_t head = 0, tail = 0;
  int count = 0;

  __device__ __forceinline__ void append(bool chosen, std::uint32_t s, int lane) {
    const unsigned lanes = __ballot_sync(all_lanes, chosen);
    if (lanes == 0) return;
    if (count + 32 > room) write(lane);
    if (chosen) stage[count + __popc(lanes & ((1u << lane) - 1))] = s;
    count += __popc(lanes);
    __syncwarp();
  }

  /// Writes what is staged as a chunk; notes that the lists are cut if there is no room.
  __device__ void write(int lane) {
    if (count == 0) return;
    const auto units = static_cast<unsigned long long>((count + 7) / 4);
    unsigned long long at = 0, sums = 0;
    bool fits = false;
    if (lane == 0) {
      at = 1 + atomicAdd(&control.list_units, units);
      fits = at + units <= lists.units;
      if (head != 0 && use != Use::open) {
        const bool far = use == Use::far;
        const unsigned long long k =
            atomicAdd(far ? &control.extra_far : &control.extra_near, 1ull);
        sums = far ? k : atomicAdd(&control.extra_bodies, (unsigned long long)(bodies));
        if (k >= (far ? lists.far_room : lists.near_room) ||
            (!far && sums + bodies > lists.body_room))
          fits = false;
        else if (fits)
          (far ? lists.extra_far : lists.extra_near)[k] = {cell, static_cast<std::uint32_t>(at)};
      }
      if (!fits) control.lists_cut = 1;
    }
    at = __shfl_sync(all_lanes, at, 0);
    fits = __shfl_sync(all_lanes, int(fits), 0) != 0;
    if (fits) {
      std::uint32_t* const chunk = lists.words + 4 * at;
      if (lane == 0) {
        chunk[0] = static_cast<std::uint32_t>(count), chunk[1] = 0;
        chunk[2] = static_cast<std::uint32_t>(sums), chunk[3] = 0;
        if (tail != 0)
          lists.words[4 * static_cast<std::size_t>(tail) + 1] = static_cast<std::uint32_t>(at);
      }
      for (int k = lane; k < count; k += 32) chunk[4 + k] = stage[k];
      tail = static_cast<std::uint32_t>(at);
      if (head == 0) head = tail;
    }
    count = 0;
    __syncwarp();
  }
};

/// use(cell, valid) for the cells of a chunk, 32 at a time, by all lanes.
template <class Use>
__device__ __forceinline__ void for_chunk(const ListView::Chunk& chunk, int lane, const Use& use) {
  const int count = static_cast<int>(chunk.count);
  for (int base = 0; base < count; base += 32) {
    const bool valid = base + lane < count;
    use(chunk.cells[valid ? base + lane : base], valid);
  }
}

/// The same for a list.
template <class Use>
__device__ __forceinline__ void for_list(const ListView& lists, std::uint32_t unit, int lane,
                                         const Use& use) {
  while (unit != 0) {
    const ListView::Chunk chunk = lists.chunk(unit);
    for_chunk(chunk, lane, use);
    unit = chunk.next;
  }
}

/// The turns of a warp of a kernel that sums lists: the first blocks share the extra chunks, as two
/// blocks on each of 132 multiprocessors; each other warp has one cell. All is evaluated again
/// where lists were cut, so there are none then.
inline constexpr unsigned extra_blocks = 264;

struct Turns {
  bool is_extra;
  std::uint32_t begin, end, step;

  __device__ Turns(const TreeControl& control, std::uint32_t cells, unsigned long long extra)
      : is_extra(blockIdx.x < extra_blocks) {
    const std::uint32_t number = blockIdx.x * warps + threadIdx.x / 32;
    begin = is_extra ? number : number - extra_blocks * warps;
    end = control.lists_cut != 0 || control.cells == 0
              ? 0
              : (is_extra ? static_cast<std::uint32_t>(extra) : cells);
    step = is_extra ? extra_blocks * warps : end;
  }
};

/// In units of the tree.
template <class T>
__device__ __forceinline__ double squared_softening(const DeviceTreeView& tree,
                                                    const ExpansionView<T>& e) {
  const double softening = e.softening * tree.control->unit;
  return softening * softening;
}

template <class T>
__global__ void __launch_bounds__(threads)
    walk_level(DeviceTreeView tree, ExpansionView<T> e, int level, float fraction) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  std::uint32_t* const stack = engine::shared_memory<std::uint32_t>() + warp * scratch_words;
  TreeControl& control = *tree.control;
  const auto softening2 = static_cast<float>(squared_softening(tree, e));
  const int order = e.order;
  const ImageView& images = e.images;
  const engine::Vec3f half{static_cast<float>(images.half_length.x * control.unit),
                           static_cast<float>(images.half_length.y * control.unit),
                           static_cast<float>(images.half_length.z * control.unit)};
  unsigned long long near_pairs = 0, far_pairs = 0;
  const std::uint32_t end = control.level_first[level + 1];
  for (std::uint32_t target = control.level_first[level] + blockIdx.x * warps + warp; target < end;
       target += gridDim.x * warps) {
    const double x = tree.x[target], y = tree.y[target], z = tree.z[target];
    const float radius = tree.radius[target], side = exp2f(-float(level));
    const bool is_leaf = tree.children[target] == 0;
    const std::uint32_t bodies = tree.count[target];
    const std::uint32_t parent = tree.parent[target];
    const std::uint32_t inherited = level > 0 ? e.lists.rest[parent] : 0;
    using Use = ListWriter::Use;
    std::uint32_t* const stage = stack + stack_size;
    ListWriter far{stage, far_chunk, e.lists, control, target, bodies, Use::far};
    ListWriter rest{stage + far_chunk,
                    rest_chunk,
                    e.lists,
                    control,
                    target,
                    bodies,
                    is_leaf ? Use::near : Use::open};

    // To a source, and the image of it.
    const auto displacement = [&](const WalkCell& s, std::uint32_t image) {
      const engine::Vec3d from = images.relative({x, y, z}, image, control.unit);
      return engine::Vec3f{static_cast<float>(from.x - s.x), static_cast<float>(from.y - s.y),
                           static_cast<float>(from.z - s.z)};
    };
    const auto squared = [](engine::Vec3f d) { return fmaf(d.x, d.x, fmaf(d.y, d.y, d.z * d.z)); };
    // Of masses, the nearest image of each makes the field scale: pulls of images on opposite sides
    // cancel, and counting them would make it too large.
    const auto in_scale = [&](engine::Vec3f d) {
      return !images.periodic() || e.charged ||
             (fabsf(d.x) <= half.x && fabsf(d.y) <= half.y && fabsf(d.z) <= half.z);
    };
    // The field scale: what acted on the parent as a whole, and the rest as if it were as far away
    // as it can be. Of the parent, which is in its own list, without the target: a body does not
    // act on itself.
    float field = level > 0 ? e.field[parent] : 0;
    float more = 0;
    for_list(e.lists, inherited, lane, [&](std::uint32_t s, bool valid) {
      const WalkCell& source = tree.walk[images.cell(s)];
      const float root = source.root_mass;
      const float mass = s == parent && !e.charged
                             ? static_cast<float>(tree.mass[parent] - tree.mass[target])
                             : root * root;
      const engine::Vec3f d = displacement(source, s);
      // Of charges W must not be too small, which makes the scale of others a lower bound.
      const float apart = engine::Number<float>::sqrt(squared(d)), both = radius + source.radius;
      const float r = e.charged ? fmaxf(apart, 0.5f * both) : apart + both;
      const float square = fmaf(r, r, softening2);
      if (valid && square > 0 && mass > 0 && in_scale(d)) more += mass / square;
    });
    more = engine::warp_sum(more);
    // The square root of the scale f. Of charges, whose fields far away cancel, f = near^2 / W,
    // with the field of neighbours, and W for what is the field of masses (Acceptance).
    const float root_scale = e.charged ? e.near[target] / sqrtf(field + more) : sqrtf(field + more);
    const float limit = fraction * root_scale;

    more = 0;
    int depth = 0;  // of the stack
    const auto look_at = [&](std::uint32_t s, bool valid) {
      const std::uint32_t cell = images.cell(s);
      const WalkCell source = tree.walk[cell];
      const float root = valid ? source.root_mass : 0;
      const bool acts = root > 0;
      bool accepted = false, now = false, later = false, leaf = false;
      if (acts) {
        const engine::Vec3f d = displacement(source, s);
        const float r2 = squared(d);
        const float inverse = engine::Number<float>::rsqrt(r2);
        const float scale = exp2f(-float(source.level));
        leaf = source.children == 0;
        const auto shape = [&](int k) {
          return k == 1 ? __uint_as_float(static_cast<unsigned>(source.dipole) << 16)
                        : source.shape[k - 2];
        };
        // Within the range of single precision, whose powers the expansions take: of the sides over
        // the distance, and of one side over the other. A source much smaller than its side is not
        // accepted either where powers of its side overflow, since NaN is not less than the limit.
        constexpr float range = 1024;
        constexpr int range_exponent = 100;
        accepted =
            r2 > 0 && source.radius < range * side && side * inverse < range &&
            (level - source.level) * order < range_exponent &&
            Acceptance::accepts(order, shape, root, scale, source.radius, radius, inverse, limit);
        if (accepted) {
          const float r = r2 * inverse + 0.5f * radius;
          if (in_scale(d)) more += root * root / fmaf(r, r, softening2);
        } else if (!leaf) {
          now = is_leaf || source.radius > radius;
          later = !now;
        } else {
          later = !is_leaf;
        }
      }
      far_pairs += accepted ? 1 : 0;
      far.append(accepted, s, lane);
      const bool near = acts && leaf && !accepted && is_leaf;
      if (near) near_pairs += static_cast<unsigned long long>(bodies) * tree.massive[cell];
      rest.append(near || later, s, lane);
      const unsigned pushed = __ballot_sync(all_lanes, now);
      if (now) stack[depth + __popc(pushed & ((1u << lane) - 1))] = s;
      depth += __popc(pushed);
      __syncwarp();
    };
    const auto drain = [&](int least) {
      while (depth >= least) {
        const int taken = depth < 4 ? depth : 4;
        depth -= taken;
        const int mine = lane / 8;
        const std::uint32_t opened = stack[depth + (mine < taken ? mine : 0)];
        const std::uint32_t cell = images.cell(opened);
        const bool valid = mine < taken && lane % 8 < tree.children[cell];
        const std::uint32_t s =
            (tree.child[cell] + (valid ? static_cast<std::uint32_t>(lane % 8) : 0)) |
            images.bits(opened);
        __syncwarp();
        look_at(s, valid);
      }
    };
    if (level == 0) {
      for (std::uint32_t k = 0; k < images.count; k += 32) {
        const std::uint32_t image = k + static_cast<std::uint32_t>(lane);
        rest.append(image < images.count && tree.walk[0].root_mass > 0,
                    images.periodic() ? image << images.shift : 0, lane);
      }
      if (is_leaf && lane == 0)
        near_pairs += static_cast<unsigned long long>(bodies) * tree.massive[0] * images.count;
    } else {
      for_list(e.lists, inherited, lane, [&](std::uint32_t s, bool valid) {
        look_at(s, valid);
        drain(4);
      });
      drain(1);
    }
    far.write(lane);
    rest.write(lane);
    more = engine::warp_sum(more);
    if (lane == 0) {
      e.lists.far[target] = far.head, e.lists.rest[target] = rest.head;
      e.field[target] = field + more;
    }
  }
  near_pairs = engine::warp_sum(near_pairs), far_pairs = engine::warp_sum(far_pairs);
  if (lane == 0 && near_pairs + far_pairs > 0) {
    atomicAdd(&control.near, near_pairs);
    atomicAdd(&control.far, far_pairs);
  }
}

}  // namespace mote::sim::walk

#pragma once

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "sim/expansions/acceptance.h"
#include "sim/expansions/expansion_view.h"
#include "sim/expansions/targets.cuh"
#include "sim/expansions/tree_view.h"

/// The walk on a GPU, level by level, with a warp for each target. What goes to which list, and
/// what is always true of lists, is said in walk.h. Here lists are chains of chunks in one arena;
/// where a chunk is in memory makes no difference to results.
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
  int room;  ///< size of the stage
  const ListView& lists;
  TreeControl& control;
  std::uint32_t cell;
  std::uint32_t bodies;  ///< bodies of the target, where it is a leaf
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

/// Calls use(cell, valid) for the cells of all chunks of a list.
template <class Use>
__device__ __forceinline__ void for_list(const ListView& lists, std::uint32_t unit, int lane,
                                         const Use& use) {
  while (unit != 0) {
    const ListView::Chunk chunk = lists.chunk(unit);
    for_chunk(chunk, lane, use);
    unit = chunk.next;
  }
}

/// The work of a block of a kernel that sums lists, a single warp, so that none waits for others:
/// one of the extra chunks, which are the longest, or one target.
inline constexpr int sum_threads = 32;

struct WorkItem {
  bool is_valid, is_extra;
  std::uint32_t number;  ///< number of the extra chunk or target

  __device__ WorkItem(std::uint32_t targets, unsigned long long extra) {
    number = blockIdx.x;
    is_extra = number < extra;
    if (!is_extra) number -= static_cast<std::uint32_t>(extra);
    is_valid = is_extra || number < targets;
  }
};

/// The square of the softening in units of the tree.
template <class T>
__device__ __forceinline__ double squared_softening(const DeviceTreeView& tree,
                                                    const ExpansionView<T>& e) {
  const double softening = e.softening * tree.control->unit;
  return softening * softening;
}

/// The target of a row, by all lanes.
struct RowTarget {
  std::uint32_t cell;
  int level;
};
__device__ __forceinline__ RowTarget target_of(const Targets& targets, std::uint32_t row,
                                               int lane) {
  static_assert(Targets::levels < 64);
  // The levels that end before it or at it are those above its own.
  const bool low = targets.row[1 + lane] <= row,
             high = 33 + lane <= Targets::levels && targets.row[33 + lane] <= row;
  const int level = __popc(__ballot_sync(all_lanes, low)) + __popc(__ballot_sync(all_lanes, high));
  return {targets.begin[level] + row - targets.row[level], level};
}

/// c g of Acceptance for a target in a periodic box.
template <class T>
__device__ __forceinline__ float pull_on(const ExpansionView<T>& e, const DeviceTreeView& tree,
                                         std::uint32_t target, int level) {
  const engine::Vec3d half = tree.control->unit * e.images.half_length;
  const double volume = 8 * half.x * half.y * half.z, mass = tree.mass[0];
  const double softening2 = squared_softening(tree, e);
  const double own =
      Acceptance::field_of_excess(tree.mass[target], level, mass / volume, softening2);
  if (level > 0) return fmaxf(e.pull[tree.parent[target]], static_cast<float>(e.of_pulls * own));
  const double near =
      Acceptance::mean_field_of_neighbours(mass, tree.massive[0], volume, softening2);
  return static_cast<float>(e.of_pulls * fmax(near, own));
}

/// The targets of some levels that are leaves, or those of one level that are not, which its
/// children wait for: leaves take longest, and no other walk waits for theirs.
template <class T>
__global__ void __launch_bounds__(threads, 6)
    walk_levels(DeviceTreeView tree, ExpansionView<T> e, int first_level, int end_level,
                bool of_leaves, float fraction) {
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
  const Targets& targets = control.targets;
  const std::uint32_t end = targets.row[end_level];
  for (std::uint32_t row = targets.row[first_level] + blockIdx.x * warps + warp; row < end;
       row += gridDim.x * warps) {
    const RowTarget own = target_of(targets, row, lane);
    const std::uint32_t target = own.cell;
    const int level = own.level;
    const bool is_leaf = tree.children[target] == 0;
    if (is_leaf != of_leaves) continue;
    if (!e.has_chosen(tree.first[target], tree.count[target])) {
      if (lane == 0) e.lists.far[target] = e.lists.rest[target] = 0;
      continue;
    }
    const double x = tree.x[target], y = tree.y[target], z = tree.z[target];
    const float radius = tree.radius[target], side = exp2f(-float(level));
    const std::uint32_t bodies = tree.count[target];
    // Cells shared by two ranges of bodies are counted in the first.
    const bool is_counted = tree.first[target] >= control.targets.first;
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
    // For masses only the nearest image of each counts in the field scale: pulls of images on
    // opposite sides cancel, and counting them would make it too large.
    const auto in_scale = [&](engine::Vec3f d) {
      return !images.periodic() || e.charged ||
             (fabsf(d.x) <= half.x && fabsf(d.y) <= half.y && fabsf(d.z) <= half.z);
    };
    // m / r^2 of a source of this radius. For masses W must not be overestimated: the distance is
    // the largest to a body of the target. (In a periodic box a W that is too small makes f larger,
    // at most c g; the c of a GPU was measured with it.) For charges W must not be underestimated:
    // it is the smallest, at least half of the source's radius.
    const auto from_afar = [&](float mass, float square, float source_radius) {
      const float apart = engine::Number<float>::sqrt(square);
      const float r =
          e.charged ? fmaxf(apart - radius, 0.5f * source_radius) : apart + radius + source_radius;
      const float r2 = fmaf(r, r, softening2);
      return r2 > 0 && mass > 0 ? mass / r2 : 0;
    };
    // The field scale: what acted on the parent as a whole, what the parent left to its children,
    // and the parent itself without the target: a body does not act on itself.
    float field = 0, more = 0;
    if (level > 0) {
      field = e.field[parent];
      const engine::Vec3f d{static_cast<float>(x - tree.x[parent]),
                            static_cast<float>(y - tree.y[parent]),
                            static_cast<float>(z - tree.z[parent])};
      const float root = tree.walk[parent].root_mass;
      const float mass =
          e.charged ? root * root : static_cast<float>(tree.mass[parent] - tree.mass[target]);
      more = e.left[parent] + from_afar(mass, squared(d), tree.radius[parent]);
    }
    // The square root of the scale f (Acceptance), where `sum` is W. For charges f = near^2 / W,
    // with the field of neighbours, since the fields of those far away cancel.
    const float sum = field + more;
    float root_scale = e.charged ? e.near[target] / sqrtf(sum) : sqrtf(sum);
    if (!e.charged && images.periodic()) {
      const float pull = pull_on(e, tree, target, level);
      root_scale = Acceptance::root_in_periodic_box(pull, sum);
      if (lane == 0) e.pull[target] = pull;
    }
    const float limit = fraction * root_scale;

    more = 0;
    float left = 0;
    int depth = 0;  // entries of the stack
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
        if (later && s != target && in_scale(d)) left += from_afar(root * root, r2, source.radius);
      }
      far_pairs += accepted && is_counted ? 1 : 0;
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
        const bool valid = image < images.count && tree.walk[0].root_mass > 0;
        const std::uint32_t s = images.periodic() ? image << images.shift : 0;
        rest.append(valid, s, lane);
        if (!valid || image == 0) continue;
        const engine::Vec3f d = displacement(tree.walk[0], s);
        const float root = tree.walk[0].root_mass;
        if (in_scale(d)) left += from_afar(root * root, squared(d), radius);
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
    more = engine::warp_sum(more), left = engine::warp_sum(left);
    if (lane == 0) {
      e.lists.far[target] = far.head, e.lists.rest[target] = rest.head;
      e.field[target] = field + more, e.left[target] = left;
    }
  }
  near_pairs = engine::warp_sum(near_pairs), far_pairs = engine::warp_sum(far_pairs);
  if (lane == 0 && near_pairs + far_pairs > 0) {
    atomicAdd(&control.near, near_pairs);
    atomicAdd(&control.far, far_pairs);
  }
}

}  // namespace mote::sim::walk

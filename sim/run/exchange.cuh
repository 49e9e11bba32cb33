#pragma once

#include <cooperative_groups.h>

#include <cstring>

#include "engine/exec/cluster.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stamped.cuh"
#include "sim/gravity/gather.cuh"
#include "sim/run/cooperative.h"
#include "sim/run/steps_task.cuh"
#include "sim/step.h"

namespace mote::sim {

/// How steps inside one kernel hand places around. Each of the three below has
///   start()     before anything else
///   publish     one lane of the warp for each of its bodies: `slot`, the source that it is (-1: none, or no body), its
///               place and mass, and whether it was found not finite
///   forces      the sums at the warp's bodies; true when somebody was found not finite before. `entry`: where such are
///               noted, when it matters
///   finish()    behind the last step
/// All threads of all blocks come to each of them together.

/// Sources in device memory, one barrier over the whole grid. For any number of bodies that the
/// grid's warps can own, massless ones too.
template <Precision precision>
class GridExchange {
 public:
  using Word = typename Pairs<precision>::Word;
  using Term = typename Pairs<precision>::Term;
  using Real = typename Pairs<precision>::Real;
  static constexpr unsigned threads = cooperative_threads;

  __device__ explicit GridExchange(const StepsTask<precision>& task) : sources_(task.sources) {}
  __device__ void start() {}
  template <int bodies>
  __device__ void publish(int, int slot, Vec3<Real> x, Real mass, bool) {
    if (slot >= 0) current().put(slot, x, mass);
  }
  template <Guard guard, int bodies>
  __device__ bool forces(int lane, const typename Pairs<precision>::Body (&body)[bodies],
                         Term squared_softening, Vec3<Total<precision>> (&total)[bodies],
                         const unsigned* entry) {
    cooperative_groups::this_grid().sync();
    const unsigned found = entry ? *const_cast<const volatile unsigned*>(entry) : no_offender;
    direct::gather_all<precision, guard>(current(), engine::shared_memory<Word>(), lane, body,
                                         squared_softening, total);
    turn_ ^= 1;
    return found != no_offender;
  }
  __device__ void finish() {}

 private:
  __device__ SourceView<precision> current() const {
    return {sources_.words + turn_ * Pairs<precision>::words * sources_.padded, sources_.count,
            sources_.padded};
  }
  SourceView<precision> sources_;
  int turn_ = 0;
};

/// Sources in the shared memory of every block of one cluster, each body written to all of them by
/// its owner; one barrier over the cluster. For few bodies.
template <Precision precision>
class ClusterExchange {
 public:
  using Word = typename Pairs<precision>::Word;
  using Term = typename Pairs<precision>::Term;
  using Real = typename Pairs<precision>::Real;
  static constexpr unsigned threads = cooperative_threads;

  __device__ explicit ClusterExchange(const StepsTask<precision>& task)
      : count_(task.sources.count),
        padded_(task.sources.padded),
        shared_(engine::shared_memory<Word>()) {}
  /// Nobody may write to a block that has not begun.
  __device__ void start() { cluster_.sync(); }
  template <int bodies>
  __device__ void publish(int lane, int slot, Vec3<Real> x, Real mass, bool) {
#pragma unroll
    for (int owner = 0; owner < bodies; ++owner) {
      const int to = __shfl_sync(engine::whole_warp, slot, owner);
      const Vec3<Real> place{__shfl_sync(engine::whole_warp, x.x, owner),
                             __shfl_sync(engine::whole_warp, x.y, owner),
                             __shfl_sync(engine::whole_warp, x.z, owner)};
      const Real weight = __shfl_sync(engine::whole_warp, mass, owner);
      if (to >= 0 && lane < cluster_.blocks())
        SourceView<precision>{cluster_.at(current(), lane), count_, padded_}.put(to, place, weight);
    }
  }
  template <Guard guard, int bodies>
  __device__ bool forces(int lane, const typename Pairs<precision>::Body (&body)[bodies],
                         Term squared_softening, Vec3<Total<precision>> (&total)[bodies],
                         const unsigned* entry) {
    static_assert(largest_cluster_count <= direct::flush_sources);  // one flush: the sums of all
                                                                    // kinds of stepping
    cluster_.sync();
    const unsigned found = entry ? *const_cast<const volatile unsigned*>(entry) : no_offender;
    const SourceView<precision> sources{current(), count_, padded_};
    Vec3<Term> sum[bodies]{};
    for (int k = 0; k < bodies; ++k) total[k] = {0, 0, 0};
    direct::gather<precision, guard>(sources.first(), sources.second(), count_, lane, body,
                                     squared_softening, sum);
    direct::flush(sum, total);
    direct::sum_over_lanes(total);
    turn_ ^= 1;
    return found != no_offender;
  }
  /// No block may leave while another still writes into its shared memory.
  __device__ void finish() {
    cluster_.sync();
  }

 private:
  __device__ Word* current() {
    return shared_ + turn_ * padded_ * Pairs<precision>::words;
  }
  engine::Cluster cluster_;
  int count_, padded_, turn_ = 0;
  Word* shared_;
};

/// Places in device memory that carry the number of their force as a stamp: who needs them looks
/// until it is there. There is no barrier over the grid and no second way to memory for what the
/// barrier would have announced. Every block needs all places, so the stamps order the blocks as a
/// barrier would:
///
/// Two sets of packets take turns. A packet of force f + 2 takes the place of that of force f. Its
/// owner writes it behind its own force f + 1, for which it has seen the packets f + 1 of all
/// bodies; each of these was written by a warp whose block had looked at all packets f before (a
/// barrier of the block stands between looking and summing). So nobody still looks for f. All
/// bodies must have mass, every block must own one, and all be resident, which a cooperative launch
/// provides.
///
/// Who was found not finite says so in its next packet's stamp, so that all blocks stop behind the
/// same step.
template <Precision precision>
class StampExchange {
 public:
  using P = Pairs<precision>;
  using Word = typename P::Word;
  using Term = typename P::Term;
  using Real = typename P::Real;
  static constexpr int looks = 4;  ///< packets of a thread at a time
  static constexpr unsigned threads = cooperative_threads;

  static std::size_t shared_bytes(unsigned threads_of_block, int count) {
    return std::size_t{2} * looks * threads_of_block * sizeof(Word) +
           static_cast<std::size_t>(count) * sizeof(Term);
  }

  __device__ explicit StampExchange(const StepsTask<precision>& task)
      : packets_(task.packets),
        count_(task.sources.count),
        threads_(static_cast<int>(blockDim.x)),
        tiles_((count_ + tile() - 1) / tile()),
        wait_(count_ <= 256    ? 400
              : count_ <= 1024 ? 600
                               : 800),
        stamp_(task.first_stamp & stamp_mask),
        words_(engine::shared_memory_kept<Word>()),
        mass_(reinterpret_cast<Term*>(words_ + 2 * looks * threads_)) {
    for (int j = thread(); j < count_; j += threads_)
      mass_[j] = static_cast<Term>(task.state.mass[j]);
  }
  __device__ void start() { __syncthreads(); }

  template <int bodies>
  __device__ void publish(int, int slot, Vec3<Real> x, Real, bool bad) {
    since_ = engine::cycles();
    if (slot < 0) return;
    unsigned value[3 * P::words];
    pack(x, value);
#pragma unroll
    for (int w = 0; w < P::words; ++w)
      engine::put(
          current() + w * count_ + slot,
          {{value[3 * w], value[3 * w + 1], value[3 * w + 2]}, stamp_ | (bad ? bad_bit : 0u)});
  }

  template <Guard guard, int bodies>
  __device__ bool forces(int lane, const typename P::Body (&body)[bodies], Term squared_softening,
                         Vec3<Total<precision>> (&total)[bodies], const unsigned*) {
    engine::let_pass(since_, wait_);
    Vec3<Term> sum[bodies]{};
    for (int k = 0; k < bodies; ++k) total[k] = {0, 0, 0};
    const engine::Stamped* from = current();
    engine::Stamped seen[looks];
    bool bad = false;
    look(from, count_, seen);
    int at = 0;
    for (int t = 0; t < tiles_; ++t) {
      const int left = count_ - at, taken = min(tile(), left);
      const Word* const words = words_ + half_ * looks * threads_;
      bad |= take(from, left, mass_ + at, seen);
      if (t + 1 < tiles_) {
        __syncthreads();
        from += tile();
        look(from, left - tile(), seen);
      } else {
        bad = __syncthreads_or(bad) != 0;
      }
      if constexpr (one_flush) {
        direct::gather<precision, guard>(words, words, taken, lane, body, squared_softening, sum);
      } else {
        for (int done = 0; done < taken;) {
          const int next =
              min(taken, done + direct::flush_sources - (at + done) % direct::flush_sources);
          direct::gather<precision, guard>(words + done, words + tile() + done, next - done, lane,
                                           body, squared_softening, sum);
          done = next;
          if ((at + done) % direct::flush_sources == 0 || at + done == count_)
            direct::flush(sum, total);
        }
      }
      at += taken;
      half_ ^= 1;  // who fills that one next has come past the barrier behind which nobody reads it
    }
    if constexpr (one_flush) direct::flush(sum, total);
    direct::sum_over_lanes(total);
    stamp_ = (stamp_ + 1) & stamp_mask;
    return bad;
  }
  __device__ void finish() {}

 private:
  static constexpr unsigned bad_bit = 0x80000000u, stamp_mask = 0x7fffffffu;
  static constexpr bool one_flush = direct::one_flush<precision>;

  /// A place as 32-bit words: three, or six.
  static __device__ void pack(Vec3<Real> x, unsigned* value) {
    if constexpr (precision == Precision::full) {
      const double all[3]{x.x, x.y, x.z};
      memcpy(value, all, sizeof(all));
    } else {
      Word first, second{};
      P::words_of(x, Real(0), first, second);
      memcpy(value, &first, 3 * sizeof(float));
      if constexpr (P::words == 2) memcpy(value + 3, &second, 3 * sizeof(float));
    }
  }
  static __device__ void unpack(const unsigned* value, Term mass, Word& first, Word& second) {
    if constexpr (precision == Precision::full) {
      double all[3];
      memcpy(all, value, sizeof(all));
      first = {all[0], all[1]};
      second = {all[2], mass};
    } else {
      memcpy(&first, value, 3 * sizeof(float));
      first.w = mass;
      if constexpr (P::words == 2) memcpy(&second, value + 3, 3 * sizeof(float)), second.w = 0;
    }
  }

  static __device__ int thread() {
    return static_cast<int>(threadIdx.x);
  }
  /// Sources of a tile.
  __device__ int tile() const {
    return looks / P::words * threads_;
  }
  __device__ engine::Stamped* current() const {
    return packets_ + (stamp_ & 1u ? P::words * count_ : 0);
  }

  /// Looks at this thread's packets of the tile whose sources begin at `from`; of the `left`
  /// sources from there on it stays within. All looks are on their way together, and none of them
  /// hangs on a condition: a register that might or might not be loaded would make each look wait
  /// for the one before.
  __device__ void look(const engine::Stamped* from, int left,
                       engine::Stamped (&seen)[looks]) const {
#pragma unroll
    for (int l = 0; l < looks / P::words; ++l)
#pragma unroll
      for (int w = 0; w < P::words; ++w)
        seen[l * P::words + w] = engine::look(
            from + static_cast<unsigned>(w * count_ + min(l * threads_ + thread(), left - 1)));
  }
  __device__ bool all_there(const engine::Stamped (&seen)[looks]) const {
    unsigned other = 0;
#pragma unroll
    for (int k = 0; k < looks; ++k) other |= (seen[k].stamp ^ stamp_) & stamp_mask;
    return other == 0;
  }
  /// Waits until they are there and puts them into shared memory; true when one of them says that
  /// its body is bad.
  __device__ bool take(const engine::Stamped* from, int left, const Term* mass,
                       engine::Stamped (&seen)[looks]) {
    while (!all_there(seen)) look(from, left, seen);
    unsigned stamps = 0;
    Word* const to = words_ + half_ * looks * threads_;
#pragma unroll
    for (int l = 0; l < looks / P::words; ++l) {
      const int j = l * threads_ + thread();
      unsigned value[3 * P::words];
#pragma unroll
      for (int w = 0; w < P::words; ++w) {
        memcpy(value + 3 * w, seen[l * P::words + w].value, sizeof(seen[0].value));
        stamps |= seen[l * P::words + w].stamp;
      }
      if (j >= left) continue;
      Word first, second{};
      unpack(value, mass[j], first, second);
      to[j] = first;
      if constexpr (P::words == 2) to[tile() + j] = second;
    }
    return (stamps & bad_bit) != 0;
  }

  engine::Stamped* packets_;
  int count_, threads_, tiles_, wait_, half_ = 0;
  unsigned stamp_, since_ = 0;
  Word* words_;  ///< two tiles
  Term* mass_;   ///< of all sources
};

}  // namespace mote::sim

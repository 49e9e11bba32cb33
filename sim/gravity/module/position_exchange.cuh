#pragma once

#include <cooperative_groups.h>

#include <cstddef>
#include <cstring>

#include "engine/exec/cluster.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/sequenced_packet.cuh"
#include "sim/gravity/module/persistent_gravity_task.cuh"
#include "sim/gravity/warp_per_body.cuh"
#include "sim/step.h"

namespace mote::sim {

/// How the blocks of a persistent kernel exchange positions. Each of the three classes below has
///   start()     to be called first
///   publish     by one lane per body of the warp: `slot`, the index of its source (-1: none, or no
///               body), its position and mass, and whether it was found non-finite
///   forces      sums the forces on the warp's bodies; true if a body was found non-finite before.
///               `entry`: where that is recorded, or null where it need not be checked
///   finish()    to be called after the last step
/// All threads of all blocks must call each of them.

/// Sources in device memory, one grid barrier per force. For any number of bodies that the grid's
/// warps can own, massless ones too.
template <Precision precision>
class GridExchange {
 public:
  using Word = typename Pairs<precision>::Word;
  using Term = typename Pairs<precision>::Term;
  using Real = typename Pairs<precision>::Real;
  static constexpr unsigned threads = persistent_block_threads;

  __device__ explicit GridExchange(const StepsTask<precision>& task) : sources_(task.sources) {}
  __device__ void start() {}
  template <int bodies>
  __device__ void publish(int, int slot, Vec3<Real> x, Real mass, bool) {
    if (slot >= 0) current().put(slot, x, mass);
  }
  template <ZeroDistance guard, int bodies>
  __device__ bool forces(int lane, const typename Pairs<precision>::Body (&body)[bodies],
                         Term squared_softening, Vec3<Total<precision>> (&total)[bodies],
                         const unsigned* entry) {
    cooperative_groups::this_grid().sync();
    const unsigned found = entry ? *const_cast<const volatile unsigned*>(entry) : no_offender;
    direct::warp_attraction<precision, guard>(current(), engine::shared_memory<Word>(), lane, body,
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

/// Sources replicated in the shared memory of every block of one cluster: the owner of a body
/// writes it to all of them. One cluster barrier per force. For few bodies.
template <Precision precision>
class ClusterExchange {
 public:
  using Word = typename Pairs<precision>::Word;
  using Term = typename Pairs<precision>::Term;
  using Real = typename Pairs<precision>::Real;
  static constexpr unsigned threads = persistent_block_threads;

  __device__ explicit ClusterExchange(const StepsTask<precision>& task)
      : count_(task.sources.count),
        padded_(task.sources.padded),
        shared_(engine::shared_memory<Word>()) {}
  /// All blocks of the cluster must be running before remote shared-memory writes.
  __device__ void start() { cluster_.sync(); }
  template <int bodies>
  __device__ void publish(int lane, int slot, Vec3<Real> x, Real mass, bool) {
#pragma unroll
    for (int owner = 0; owner < bodies; ++owner) {
      const int to = __shfl_sync(engine::all_lanes, slot, owner);
      const Vec3<Real> position{__shfl_sync(engine::all_lanes, x.x, owner),
                                __shfl_sync(engine::all_lanes, x.y, owner),
                                __shfl_sync(engine::all_lanes, x.z, owner)};
      const Real of_body = __shfl_sync(engine::all_lanes, mass, owner);
      if (to >= 0 && lane < cluster_.blocks())
        SourceView<precision>{cluster_.at(current(), lane), count_, padded_}.put(to, position,
                                                                                 of_body);
    }
  }
  template <ZeroDistance guard, int bodies>
  __device__ bool forces(int lane, const typename Pairs<precision>::Body (&body)[bodies],
                         Term squared_softening, Vec3<Total<precision>> (&total)[bodies],
                         const unsigned* entry) {
    // A single flush: the same summation order as in the other kinds of stepping.
    static_assert(largest_cluster_count <= direct::flush_sources);
    cluster_.sync();
    const unsigned found = entry ? *const_cast<const volatile unsigned*>(entry) : no_offender;
    const SourceView<precision> sources{current(), count_, padded_};
    Vec3<Term> sum[bodies]{};
    for (int k = 0; k < bodies; ++k) total[k] = {0, 0, 0};
    direct::add_lane_attraction<precision, guard>(sources.first(), sources.second(), count_, lane,
                                                  body, squared_softening, sum);
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

/// Positions in device memory, in packets with the sequence number of their force: consumers poll
/// until it matches. This saves the grid barrier and the second round trip to memory for the data
/// that the barrier would have announced. Every block needs all positions, so the sequence numbers
/// order the blocks as a barrier would:
///
/// Two sets of packets alternate: the packet of force f + 2 overwrites that of force f. Its owner
/// writes it after its own force f + 1, for which it has received the packets f + 1 of all bodies;
/// each of these was written by a warp whose block had received all packets f before (a block
/// barrier separates polling from summing). So no thread still polls for f. This requires that all
/// bodies have mass, that every block owns one, and that all blocks are resident, which a
/// cooperative launch guarantees.
///
/// A body found non-finite is flagged in the sequence number of its next packet, so that all blocks
/// stop after the same step.
///
/// Kernels of several devices take steps together: each has some of the bodies, and the threads
/// that own them write their packets to the memory of all devices, where the kernels poll. All that
/// is said of blocks holds for those of all devices. A block that misses packets for seconds ends
/// as if a body were non-finite, and makes the number of steps in the record impossible.
template <Precision precision, engine::PacketScope scope>
class SequencedExchange {
 public:
  using P = Pairs<precision>;
  using Word = typename P::Word;
  using Term = typename P::Term;
  using Real = typename P::Real;
  static constexpr int batch = 4;  ///< packets that a thread has in flight
  static constexpr unsigned threads = persistent_block_threads;

  static std::size_t shared_bytes(unsigned threads_of_block, int count) {
    return std::size_t{2} * batch * threads_of_block * sizeof(Word) +
           static_cast<std::size_t>(count) * sizeof(Term);
  }

  __device__ explicit SequencedExchange(const StepsTask<precision>& task)
      : task_(task),
        packets_(task.packets),
        count_(task.sources.count),
        threads_(static_cast<int>(blockDim.x)),
        tiles_((count_ + tile() - 1) / tile()),
        wait_(count_ <= 256    ? 400
              : count_ <= 1024 ? 600
                               : 800),
        sequence_(task.first_sequence & sequence_mask),
        words_(engine::shared_memory_in_register<Word>()),
        mass_(reinterpret_cast<Term*>(words_ + 2 * batch * threads_)) {
    for (int j = thread(); j < count_; j += threads_) mass_[j] = static_cast<Term>(task.masses[j]);
  }
  __device__ void start() { __syncthreads(); }

  template <int bodies>
  __device__ void publish(int, int slot, Vec3<Real> x, Real, bool bad) {
    since_ = engine::cycles();
    if (slot < 0) return;
    unsigned value[3 * P::words];
    pack(x, value);
#pragma unroll
    for (int w = 0; w < P::words; ++w) {
      const engine::SequencedPacket packet{{value[3 * w], value[3 * w + 1], value[3 * w + 2]},
                                           sequence_ | (bad ? bad_bit : 0u)};
      const std::ptrdiff_t at = current() - packets_ + w * count_ + slot;
      if constexpr (several)
        for (int other = 0; other < task_.other_count; ++other)
          engine::put<scope>(task_.others[other] + at, packet);
      engine::put<scope>(packets_ + at, packet);
    }
  }

  template <ZeroDistance guard, int bodies>
  __device__ bool forces(int lane, const typename P::Body (&body)[bodies], Term squared_softening,
                         Vec3<Total<precision>> (&total)[bodies], const unsigned*) {
    engine::back_off(since_, wait_);
    Vec3<Term> sum[bodies]{};
    for (int k = 0; k < bodies; ++k) total[k] = {0, 0, 0};
    const engine::SequencedPacket* from = current();
    engine::SequencedPacket received[batch];
    bool bad = false;
    poll(from, count_, received);
    int at = 0;
    for (int t = 0; t < tiles_; ++t) {
      const int left = count_ - at, taken = min(tile(), left);
      const Word* const words = words_ + half_ * batch * threads_;
      bad |= receive(from, left, mass_ + at, received);
      if (t + 1 < tiles_) {
        __syncthreads();
        from += tile();
        poll(from, left - tile(), received);
      } else {
        bad = __syncthreads_or(bad) != 0;
      }
      if constexpr (one_flush) {
        direct::add_lane_attraction<precision, guard>(words, words, taken, lane, body,
                                                      squared_softening, sum);
      } else {
        for (int done = 0; done < taken;) {
          const int next =
              min(taken, done + direct::flush_sources - (at + done) % direct::flush_sources);
          direct::add_lane_attraction<precision, guard>(
              words + done, words + tile() + done, next - done, lane, body, squared_softening, sum);
          done = next;
          if ((at + done) % direct::flush_sources == 0 || at + done == count_)
            direct::flush(sum, total);
        }
      }
      at += taken;
      half_ ^= 1;  // safe to refill: the barrier above follows the last read of that half
    }
    if constexpr (one_flush) direct::flush(sum, total);
    direct::sum_over_lanes(total);
    sequence_ = (sequence_ + 1) & sequence_mask;
    waiting_since_ = 0;
    return bad;
  }
  __device__ void finish() {
    if constexpr (several)
      if (missed_) atomicOr(count_of(task_.record->steps), missed_steps);
  }

 private:
  static constexpr unsigned bad_bit = 0x80000000u, sequence_mask = 0x7fffffffu;
  static constexpr bool one_flush = direct::one_flush<precision>,
                        several = scope == engine::PacketScope::several;
  static constexpr unsigned long long longest_wait = 5'000'000'000;  ///< for another device [ns]
  static constexpr unsigned polls_between_times = 4096;

  /// A position as three or six 32-bit words.
  static __device__ void pack(Vec3<Real> x, unsigned* value) {
    if constexpr (precision == Precision::double_) {
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
    if constexpr (precision == Precision::double_) {
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
  __device__ bool waits_too_long() {
    const unsigned long long now = engine::nanoseconds();
    if (waiting_since_ == 0) waiting_since_ = now;
    missed_ = missed_ || now - waiting_since_ > longest_wait;
    return missed_;
  }
  /// Sources of a tile.
  __device__ int tile() const {
    return batch / P::words * threads_;
  }
  __device__ engine::SequencedPacket* current() const {
    return packets_ + (sequence_ & 1u ? P::words * count_ : 0);
  }

  /// Polls this thread's packets of the tile that begins at `from`, clamped to the `left` sources
  /// from there on. All loads are in flight together and unconditional: a conditionally loaded
  /// register would make each load wait for the previous one.
  __device__ void poll(const engine::SequencedPacket* from, int left,
                       engine::SequencedPacket (&received)[batch]) const {
#pragma unroll
    for (int l = 0; l < batch / P::words; ++l)
#pragma unroll
      for (int w = 0; w < P::words; ++w)
        received[l * P::words + w] = engine::poll<scope>(
            from + static_cast<unsigned>(w * count_ + min(l * threads_ + thread(), left - 1)));
  }
  __device__ bool all_arrived(const engine::SequencedPacket (&received)[batch]) const {
    unsigned other = 0;
#pragma unroll
    for (int k = 0; k < batch; ++k) other |= (received[k].sequence ^ sequence_) & sequence_mask;
    return other == 0;
  }
  /// Waits for the packets and copies them to shared memory; true if one flags its body as
  /// non-finite.
  __device__ bool receive(const engine::SequencedPacket* from, int left, const Term* mass,
                          engine::SequencedPacket (&received)[batch]) {
    for ([[maybe_unused]] unsigned polls = 1; !all_arrived(received); ++polls) {
      if constexpr (several)
        if (polls % polls_between_times == 0 && waits_too_long()) return true;
      poll(from, left, received);
    }
    unsigned sequences = 0;
    Word* const to = words_ + half_ * batch * threads_;
#pragma unroll
    for (int l = 0; l < batch / P::words; ++l) {
      const int j = l * threads_ + thread();
      unsigned value[3 * P::words];
#pragma unroll
      for (int w = 0; w < P::words; ++w) {
        memcpy(value + 3 * w, received[l * P::words + w].value, sizeof(received[0].value));
        sequences |= received[l * P::words + w].sequence;
      }
      if (j >= left) continue;
      Word first, second{};
      unpack(value, mass[j], first, second);
      to[j] = first;
      if constexpr (P::words == 2) to[tile() + j] = second;
    }
    return (sequences & bad_bit) != 0;
  }

  const StepsTask<precision>& task_;
  engine::SequencedPacket* packets_;
  int count_, threads_, tiles_, wait_, half_ = 0;
  unsigned sequence_, since_ = 0;
  unsigned long long waiting_since_ = 0;  ///< in the present force [ns]; 0: not long
  bool missed_ = false;                   ///< packets of another device
  Word* words_;                           ///< two tiles
  Term* mass_;                            ///< of all sources
};

}  // namespace mote::sim

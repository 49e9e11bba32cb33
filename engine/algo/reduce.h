#pragma once

#include <utility>
#include <vector>

#include "engine/exec/parallel.h"
#include "engine/exec/policy.h"
#include "engine/exec/ranks.h"

namespace mote::engine {

/// Sums `part(begin, end)` over fixed chunks of [0, n) and adds the parts in order, starting from
/// `zero`. The result has the same bits for every number of threads. `T` needs `operator+=`.
///
/// With ranks, [0, n) is what this one has, and the parts of all ranks are added in their order:
/// the bits of one rank if only the last rank that has any ends with a part of a chunk.
template <class T, class Part>
T ordered_sum(const Cpu& exec, Index n, T zero, Part&& part) {
  std::vector<T> parts(static_cast<std::size_t>((n + loop_chunk - 1) / loop_chunk), zero);
  parallel_chunks(exec.threads, n, [&](Index begin, Index end) {
    parts[static_cast<std::size_t>(begin / loop_chunk)] = part(begin, end);
  });
  T total = zero;
  for (const T& p : gather(exec.ranks, std::move(parts))) total += p;
  return total;
}

/// Sums on this process alone, without ranks.
template <class T, class Part>
T ordered_sum(int threads, Index n, T zero, Part&& part) {
  return ordered_sum(Cpu{threads}, n, std::move(zero), std::forward<Part>(part));
}

/// K numbers that are reduced together.
template <int K>
struct Values {
  double v[K];
};

/// Reduces a Term over [0, count) in a fixed order, with the buffers that this needs on a backend
/// (on a GPU: reduce.cuh), and over the ranks as ordered_sum() does. A Term is copied, and provides
///   Values<K> operator()(Index i) const        the numbers of element i
///   static double combine(int k, double, double)
///   static Values<K> nothing()                 the result of an empty range
template <class Exec, int K>
class Reducer;

template <int K>
class Reducer<Cpu, K> {
 public:
  explicit Reducer(Index /*largest_count*/) {}
  template <class Term>
  Values<K> run(const Cpu& exec, const Term& term, Index count) const {
    std::vector<Values<K>> parts(static_cast<std::size_t>((count + loop_chunk - 1) / loop_chunk),
                                 Term::nothing());
    parallel_chunks(exec.threads, count, [&](Index begin, Index end) {
      Values<K>& part = parts[static_cast<std::size_t>(begin / loop_chunk)];
      for (Index i = begin; i < end; ++i) combine<Term>(part, term(i));
    });
    Values<K> total = Term::nothing();
    for (const Values<K>& part : gather(exec.ranks, std::move(parts))) combine<Term>(total, part);
    return total;
  }

 private:
  template <class Term>
  static void combine(Values<K>& sum, const Values<K>& more) {
    for (int k = 0; k < K; ++k) sum.v[k] = Term::combine(k, sum.v[k], more.v[k]);
  }
};

}  // namespace mote::engine

#pragma once

#include <cooperative_groups.h>

#include "engine/platform.h"

namespace mote::engine {

/// The thread-block cluster of the calling thread. A kernel that uses it compiles for every GPU,
/// and traps on those without clusters, where the host never launches it.
class Cluster {
 public:
  __device__ void sync() const {
#if MOTE_HAS_CLUSTERS
    cooperative_groups::this_cluster().sync();
#else
    __trap();
#endif
  }
  __device__ int blocks() const {
#if MOTE_HAS_CLUSTERS
    return static_cast<int>(cooperative_groups::this_cluster().num_blocks());
#else
    return 1;
#endif
  }
  __device__ int rank() const {
#if MOTE_HAS_CLUSTERS
    return static_cast<int>(cooperative_groups::this_cluster().block_rank());
#else
    return 0;
#endif
  }
  /// The corresponding address in the shared memory of block `rank`.
  template <class T>
  __device__ T* at(T* own, int rank) const {
#if MOTE_HAS_CLUSTERS
    return cooperative_groups::this_cluster().map_shared_rank(own, rank);
#else
    return own;
#endif
  }
};

}  // namespace mote::engine

#pragma once

#include <cuda_runtime.h>

#include <type_traits>

namespace cooperative_groups {

class thread_block {
 public:
  static void sync() { __syncthreads(); }
  static unsigned thread_rank() { return emulator::current->rank; }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned size() { return num_threads(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() {
  return {};
}

class grid_group {
 public:
  static bool is_valid() { return emulator::current->cooperative; }
  static void sync() { emulator::sync_grid(); }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long block_rank() {
    return blockIdx.x +
           static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
  }
  static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned long long size() { return num_threads(); }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
};
inline grid_group this_grid() {
  return {};
}

class cluster_group {
 public:
  struct arrival_token {};
  static void sync() {
    emulator::cluster_arrive();
    emulator::cluster_wait();
  }
  static arrival_token barrier_arrive() {
    emulator::cluster_arrive();
    return {};
  }
  static void barrier_wait() { emulator::cluster_wait(); }
  static void barrier_wait(arrival_token&&) { emulator::cluster_wait(); }
  static unsigned block_rank() { return emulator::current->rank_in_cluster; }
  static unsigned num_blocks() { return emulator::current->cluster_size; }
  static unsigned num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned size() { return num_threads(); }
  static unsigned thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  template <class T>
  static T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(emulator::remote_shared_memory(address, static_cast<unsigned>(rank)));
  }
};
inline cluster_group this_cluster() {
  return {};
}

/// `Size` neighbouring lanes of a warp.
template <unsigned Size, class Parent = void>
class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0);

 public:
  thread_block_tile() = default;
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>&) {}

  static void sync() { __syncwarp(mask()); }
  static unsigned thread_rank() { return emulator::current->rank % Size; }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned meta_group_rank() { return emulator::current->rank % parent_size() / Size; }
  static unsigned meta_group_size() { return (parent_size() + Size - 1) / Size; }
  template <class T>
  static T shfl(T value, int source) {
    return __shfl_sync(mask(), value, source, Size);
  }
  template <class T>
  static T shfl_up(T value, unsigned delta) {
    return __shfl_up_sync(mask(), value, delta, Size);
  }
  template <class T>
  static T shfl_down(T value, unsigned delta) {
    return __shfl_down_sync(mask(), value, delta, Size);
  }
  template <class T>
  static T shfl_xor(T value, unsigned lane_mask) {
    return __shfl_xor_sync(mask(), value, static_cast<int>(lane_mask), Size);
  }
  static unsigned ballot(int predicate) { return __ballot_sync(mask(), predicate) >> first_lane(); }
  static int any(int predicate) { return __any_sync(mask(), predicate); }
  static int all(int predicate) { return __all_sync(mask(), predicate); }
  template <class T>
  static unsigned match_any(T value) {
    return __match_any_sync(mask(), value) >> first_lane();
  }

 private:
  static unsigned parent_size() {
    if constexpr (std::is_void_v<Parent>) {
      return thread_block::size();
    } else {
      return Parent::size();
    }
  }
  static unsigned first_lane() { return emulator::current->lane / Size * Size; }
  static unsigned mask() { return (0xffffffffU >> (32 - Size)) << first_lane(); }
};

template <unsigned Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  return {};
}
template <unsigned Size, unsigned ParentSize, class Parent>
thread_block_tile<Size, thread_block_tile<ParentSize, Parent>> tiled_partition(
    const thread_block_tile<ParentSize, Parent>&) {
  static_assert(Size <= ParentSize);
  return {};
}

template <class Group>
void sync(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

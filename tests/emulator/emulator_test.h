#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tests/emulator/emulator.h"

namespace emulator {

/// Device memory, initialised from and read back into vectors.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values) : size_(values.size()) {
    EXPECT_EQ(cudaMalloc(&data_, size_ * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  explicit OnDevice(std::size_t size) : OnDevice(std::vector<T>(size)) {}
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  operator T*() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> values(size_);
    EXPECT_EQ(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return values;
  }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

/// Launch configuration of a kernel.
struct Shape {
  dim3 grid = 1, block = 32;
  std::size_t shared = 0;
  bool cooperative = false;
  unsigned cluster = 0;
  cudaStream_t stream = nullptr;
};

/// The runtime's configuration for a Shape, with its attributes.
class Configuration {
 public:
  explicit Configuration(const Shape& shape) {
    config_.gridDim = shape.grid;
    config_.blockDim = shape.block;
    config_.dynamicSmemBytes = shape.shared;
    config_.stream = shape.stream;
    config_.attrs = attributes_;
    attributes_[0].id = cudaLaunchAttributeCooperative;
    attributes_[0].val.cooperative = shape.cooperative ? 1 : 0;
    config_.numAttrs = 1;
    if (shape.cluster == 0) return;
    attributes_[1].id = cudaLaunchAttributeClusterDimension;
    attributes_[1].val.clusterDim = {shape.cluster, 1, 1};
    config_.numAttrs = 2;
  }
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;

  const cudaLaunchConfig_t* operator&() const { return &config_; }

 private:
  cudaLaunchConfig_t config_{};
  cudaLaunchAttribute attributes_[2]{};
};

template <class... Expected, class... Actual>
cudaError_t start(const Shape& shape, void (*kernel)(Expected...), Actual&&... arguments) {
  const Configuration configuration(shape);
  return cudaLaunchKernelEx(&configuration, kernel, std::forward<Actual>(arguments)...);
}

struct FreshDevice : testing::Test {
  FreshDevice() { reset(); }
  ~FreshDevice() override { reset(); }
};

inline std::string name_of_order(const testing::TestParamInfo<Order>& info) {
  return info.param == Order::forward    ? "Forward"
         : info.param == Order::backward ? "Backward"
                                         : "Shuffled";
}

struct InEveryOrder : testing::TestWithParam<Order> {
  InEveryOrder() { set_order(GetParam(), 7); }
  ~InEveryOrder() override { reset(); }
};

}  // namespace emulator

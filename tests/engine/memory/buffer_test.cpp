#include "engine/memory/buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

namespace mote::engine {
namespace {

template <class T>
using HostBuffer = Buffer<T, Host>;

struct Three {
  double x, y, z;
};
struct Odd {
  unsigned char bytes[6];
};

static_assert(!std::is_copy_constructible_v<HostBuffer<float>> &&
              !std::is_copy_assignable_v<HostBuffer<float>>);
static_assert(std::is_nothrow_move_constructible_v<HostBuffer<float>>);
static_assert(std::is_nothrow_move_assignable_v<HostBuffer<float>>);

template <class T>
bool padding_is_zero(const HostBuffer<T>& buffer) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(buffer.data());
  for (std::size_t i = 0; i < HostBuffer<T>::padded_bytes(buffer.size()); ++i)
    if (bytes[i] != 0) return false;
  return true;
}

template <class T>
class BufferOf : public testing::Test {};
using Elements = testing::Types<float, double, unsigned char, std::int64_t, Three, Odd>;
TYPED_TEST_SUITE(BufferOf, Elements);

constexpr Index sizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 4095, 4096, 4097};

TYPED_TEST(BufferOf, StartsOnACacheLine) {
  for (Index size : sizes) {
    const HostBuffer<TypeParam> buffer(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u) << size;
  }
}

TYPED_TEST(BufferOf, IsPaddedToSixteenElementsAndToACacheLineAndNoFurther) {
  for (Index size : sizes) {
    const HostBuffer<TypeParam> buffer(size);
    const std::size_t bytes = HostBuffer<TypeParam>::padded_bytes(size);
    EXPECT_EQ(buffer.padded_size() % 16, 0) << size;
    EXPECT_EQ(bytes % 64, 0u) << size;
    EXPECT_GE(buffer.padded_size(), size);
    EXPECT_LT(buffer.padded_size(), size + 64);
    EXPECT_EQ(bytes, static_cast<std::size_t>(buffer.padded_size()) * sizeof(TypeParam));
  }
}

// Reused memory shows padding that was not set.
TYPED_TEST(BufferOf, IsZeroToTheEndOfItsPadding) {
  for (Index size : sizes) {
    {
      HostBuffer<TypeParam> used(size);
      std::memset(static_cast<void*>(used.data()), 0xff, HostBuffer<TypeParam>::padded_bytes(size));
    }
    EXPECT_TRUE(padding_is_zero(HostBuffer<TypeParam>(size))) << size;
  }
}

TEST(Buffer, EmptyOneOwnsNothing) {
  for (const HostBuffer<float>& buffer : {HostBuffer<float>(), HostBuffer<float>(0)}) {
    EXPECT_EQ(buffer.size(), 0);
    EXPECT_EQ(buffer.padded_size(), 0);
    EXPECT_EQ(buffer.data(), nullptr);
    EXPECT_EQ(buffer.begin(), buffer.end());
    EXPECT_TRUE(buffer.span().empty());
  }
  EXPECT_EQ(HostBuffer<float>::padded_bytes(0), 0u);
}

TEST(Buffer, ElementsAreReachedByIndexIteratorAndSpan) {
  HostBuffer<int> buffer(5);
  int next = 1;
  for (int& value : buffer) value = next++;
  EXPECT_EQ(next, 6);
  EXPECT_EQ(buffer[0], 1);
  buffer[4] = 50;
  const HostBuffer<int>& constant = buffer;
  EXPECT_EQ(constant[4], 50);
  EXPECT_EQ(constant.span().size(), 5u);
  EXPECT_EQ(constant.span().data(), buffer.span().data());
  EXPECT_EQ(constant.end() - constant.begin(), 5);
}

TEST(Buffer, MovingHandsOverTheMemoryAndEmptiesTheSource) {
  HostBuffer<float> source(100);
  source[7] = 7;
  const float* memory = source.data();
  HostBuffer<float> target(std::move(source));
  EXPECT_EQ(target.data(), memory);
  EXPECT_EQ(target.size(), 100);
  EXPECT_EQ(target[7], 7);
  EXPECT_EQ(source.size(), 0);
  EXPECT_EQ(source.data(), nullptr);
  EXPECT_EQ(source.padded_size(), 0);
}

TEST(Buffer, MoveAssignmentReplacesWhatWasThere) {
  HostBuffer<float> source(100), target(3);
  const float* memory = source.data();
  target = std::move(source);
  EXPECT_EQ(target.data(), memory);
  EXPECT_EQ(target.size(), 100);
  EXPECT_EQ(source.size(), 0);
  EXPECT_EQ(source.data(), nullptr);
}

TEST(Buffer, MovingOntoItselfKeepsTheElements) {
  HostBuffer<float> buffer(9);
  buffer[8] = 8;
  HostBuffer<float>& same = buffer;
  buffer = std::move(same);
  ASSERT_EQ(buffer.size(), 9);
  EXPECT_EQ(buffer[8], 8);
}

// The size in bytes overflows 64 bits, which must not yield a small array.
TEST(Buffer, SizeBeyondTheAddressSpaceIsRefused) {
  for (Index size : {std::numeric_limits<Index>::max(), Index{1} << 61, (Index{1} << 61) + 1})
    EXPECT_THROW(HostBuffer<double>{size}, std::bad_alloc) << size;
}

}  // namespace
}  // namespace mote::engine

#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#if defined(__has_feature)
#define MOTE_HAS_FEATURE(feature) __has_feature(feature)
#else
#define MOTE_HAS_FEATURE(feature) 0
#endif

namespace mote::test {

#if defined(__SANITIZE_ADDRESS__) || MOTE_HAS_FEATURE(address_sanitizer)
inline constexpr bool address_sanitized = true;
#else
inline constexpr bool address_sanitized = false;
#endif

#if defined(__SANITIZE_THREAD__) || MOTE_HAS_FEATURE(thread_sanitizer)
inline constexpr bool thread_sanitized = true;
#else
inline constexpr bool thread_sanitized = false;
#endif

/// Whether this is EmulatedGpu.GivesTheSameWhenRun_* (tests/CMakeLists.txt), which runs tests that
/// are skipped under the address sanitizer otherwise.
inline bool in_another_order() {
  return std::getenv("MOTE_EMULATOR_ORDER") != nullptr;
}

}  // namespace mote::test

#undef MOTE_HAS_FEATURE

// Sanitizers check memory accesses and threads, not results: tests that only take long there are
// for the other builds. The macro is the first statement of a test or of SetUp().

/// Skips a test under a sanitizer; `reason`: where else its code runs instrumented, or why not.
#define MOTE_SKIP_IF_SANITIZED(reason)                                             \
  if constexpr (::mote::test::address_sanitized || ::mote::test::thread_sanitized) \
  GTEST_SKIP() << "sanitizers: " << (reason)

/// Skips a test under the address sanitizer, not under the thread sanitizer.
#define MOTE_SKIP_IF_ADDRESS_SANITIZED(reason) \
  if constexpr (::mote::test::address_sanitized) GTEST_SKIP() << "address sanitizer: " << (reason)

#include <cstdlib>
#include <string_view>

#include "tests/emulator/scheduler.h"

namespace emulator {
namespace {

struct Choice {
  Order order = Order::forward;
  std::uint64_t random = 1;
};

Choice order_from_environment() {
  const char* variable = std::getenv("MOTE_EMULATOR_ORDER");
  const std::string_view text = variable != nullptr ? variable : "";
  constexpr std::string_view with_seed = "shuffled:";
  if (text.empty() || text == "forward") return {Order::forward};
  if (text == "backward") return {Order::backward};
  if (text == "shuffled") return {Order::shuffled};
  if (text.substr(0, with_seed.size()) == with_seed)
    return {Order::shuffled, std::strtoull(variable + with_seed.size(), nullptr, 10)};
  fail("MOTE_EMULATOR_ORDER is '%s'; it can be forward, backward, shuffled or shuffled:SEED",
       variable);
}

Choice choice = order_from_environment();

}  // namespace

void set_order(Order order, std::uint64_t seed) {
  choice = {order, seed};
}

void reset_order() {
  choice = order_from_environment();
}

Order current_order() {
  return choice.order;
}

/// SplitMix64. Its state persists between launches, so that repeated launches get different orders.
std::uint64_t next_random() {
  std::uint64_t z = choice.random += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace emulator

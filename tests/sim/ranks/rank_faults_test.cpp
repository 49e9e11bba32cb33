#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/exec/ranks.h"
#include "tests/support/backend.h"
#include "tests/support/ranks.h"

// Faults that are planted into what ranks exchange.
namespace mote::test {
namespace {

using engine::Ranks;

class FaultsOfRanks : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(FaultsOfRanks);

/// Ranks with a fault in what they receive of positions, cells and sums, once it is armed. What
/// they gather from all, themselves too, has none: bodies in no order along the curve make no tree.
class FaultyRanks final : public OnlyMessages {
 public:
  enum class Fault { none, missed, other_order, stale };
  FaultyRanks(Ranks& inner, Fault fault) : OnlyMessages(inner), fault_(fault) {}
  void arm() { armed_ = true; }

 protected:
  void do_exchange(std::span<const Outgoing> send, std::span<const Incoming> receive) override {
    std::vector<std::vector<std::byte>> before;
    for (const Incoming& message : receive)
      before.emplace_back(message.bytes.begin(), message.bytes.end());
    inner_.exchange(send, receive);
    for (const Incoming& message : receive)
      if (message.from == rank()) return;
    for (std::size_t k = 0; k < receive.size(); ++k) {
      const std::span<std::byte> bytes = receive[k].bytes;
      if (bytes.size() < 16 * sizeof(double)) continue;
      const std::vector<std::byte> received(bytes.begin(), bytes.end());
      if (armed_ && fault_ == Fault::missed)
        std::memcpy(bytes.data(), before[k].data(), sizeof(double));
      if (armed_ && fault_ == Fault::other_order)
        std::swap_ranges(bytes.data() + 16, bytes.data() + 24, bytes.data() + 80);  // 2 and 10
      std::vector<std::byte>& last = last_[{k, bytes.size()}];
      if (armed_ && fault_ == Fault::stale && !last.empty())
        std::copy(last.begin(), last.end(), bytes.begin());
      last = received;
    }
  }

 private:
  Fault fault_;
  bool armed_ = false;
  /// What the exchange before has brought, by message and its size.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::byte>> last_;
};

// Tests of hashes can fail: each of these faults changes the hash, or ends the steps.
void expect_faults_to_show(engine::Backend backend, const std::string& gravity) {
  using Fault = FaultyRanks::Fault;
  const sim::SceneDescription scene =
      scene_of("return { precision = 'double', gravity = { softening = 0.05" + gravity +
               " }, integrator = { 'leapfrog', dt = 1 / 64 }, bodies = { plummer { n = 96 } } }");
  sim::RunOptions options;
  options.backend = backend;
  const auto alone = sim::open_simulation(scene, sim::make_plan(scene, options));
  alone->advance(4, {});
  const std::uint64_t one = alone->hash();
  for (const Fault fault : {Fault::none, Fault::missed, Fault::other_order, Fault::stale}) {
    SCOPED_TRACE(static_cast<int>(fault));
    FaultyRanks* of[2] = {};
    open_on(
        2, backend, scene,
        [&](Ranks& own, sim::Simulation& simulation) {
          of[own.rank()]->arm();
          const bool good = simulation.advance(4, {}).health == sim::Health::good,
                     same = good && simulation.hash() == one;
          EXPECT_EQ(same, fault == Fault::none);
        },
        [&](Ranks& own) {
          auto faulty = std::make_unique<FaultyRanks>(own, fault);
          of[own.rank()] = faulty.get();
          return faulty;
        });
  }
}

TEST_P(FaultsOfRanks, OfGravityShowInWhatTheyReceive) {
  expect_faults_to_show(GetParam(), "");
}

TEST_P(FaultsOfRanks, OfExpansionsShowInWhatTheyReceive) {
  if (on_gpu()) GTEST_SKIP() << "the exchange is that of the CPU";
  expect_faults_to_show(GetParam(), ", solver = 'multipole', leaf = 4");
}

}  // namespace
}  // namespace mote::test

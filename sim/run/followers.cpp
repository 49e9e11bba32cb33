#include "sim/run/followers.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "engine/check.h"

namespace mote::sim {

std::unique_ptr<Simulation> Followers::open(
    int ranks,
    const std::function<std::unique_ptr<Simulation>(int, engine::Ranks&)>& open_on_rank) {
  std::unique_ptr<Followers> followers(new Followers(ranks));
  Followers& all = *followers;
  all.team_.begin([&](engine::Ranks& own) {
    all.simulations_[static_cast<std::size_t>(own.rank())] =
        std::make_unique<CalledSimulation>(open_on_rank(own.rank(), own));
  });
  std::unique_ptr<Simulation> leader;
  try {
    leader = open_on_rank(0, all.team_.own());
  } catch (...) {
    all.team_.finish();
    throw;
  }
  all.team_.finish();
  all.team_.check();
  for (std::size_t rank = 1; rank < all.simulations_.size(); ++rank)
    if (!all.simulations_[rank])
      throw engine::SystemError("open the scene on all ranks",
                                "rank " + std::to_string(rank) + " refuses it alone",
                                "see the log; use one GPU (--device) meanwhile");
  leader->lead(std::move(followers));
  return leader;
}

void Followers::begin(std::string call) {
  // One text for all threads: it may hold a whole state.
  const auto shared = std::make_shared<const std::string>(std::move(call));
  team_.begin([this, shared](engine::Ranks& own) {
    simulations_[static_cast<std::size_t>(own.rank())]->repeat(*shared);
  });
}

void LedProcesses::begin(std::string call) {
  send_text(ranks_, call);
}

void send_text(engine::Ranks& ranks, const std::string& text) {
  const std::uint64_t size = text.size();
  std::vector<engine::Ranks::Outgoing> sizes, texts;
  for (int other = 1; other < ranks.size(); ++other) {
    sizes.push_back({other, std::as_bytes(std::span(&size, 1))});
    texts.push_back({other, std::as_bytes(std::span(text))});
  }
  ranks.exchange(sizes, {});
  ranks.exchange(texts, {});
}

std::string receive_text(engine::Ranks& ranks) {
  std::uint64_t size = 0;
  const engine::Ranks::Incoming of_size{0, std::as_writable_bytes(std::span(&size, 1))};
  ranks.exchange({}, {&of_size, 1});
  std::string text(size, '\0');
  const engine::Ranks::Incoming of_text{0, std::as_writable_bytes(std::span(text))};
  ranks.exchange({}, {&of_text, 1});
  return text;
}

void repeat_calls(engine::Ranks& ranks, std::unique_ptr<Simulation> simulation) {
  CalledSimulation own(std::move(simulation));
  for (;;) {
    const std::string call = receive_text(ranks);
    if (call.empty()) return;
    try {
      own.repeat(call);
    } catch (const engine::InputError&) {  // which all ranks throw
    }
  }
}

void end_calls(engine::Ranks& ranks) {
  send_text(ranks, "");
}

}  // namespace mote::sim

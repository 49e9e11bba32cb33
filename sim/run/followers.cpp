#include "sim/run/followers.h"

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
    all.simulations_[static_cast<std::size_t>(own.rank())] = open_on_rank(own.rank(), own);
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
                                "rank " + std::to_string(rank) + " refuses it", "use one rank");
  leader->lead(std::move(followers));
  return leader;
}

void Followers::begin(std::function<void(Simulation&, int rank)> call) {
  team_.begin([this, call = std::move(call)](engine::Ranks& own) {
    call(*simulations_[static_cast<std::size_t>(own.rank())], own.rank());
  });
}

}  // namespace mote::sim

#include "sim/motion/kept.h"

#include <algorithm>

namespace mote::sim {

std::string kept_bytes(const engine::Cpu&, const Kept<engine::Host>& kept) {
  return kept_as_bytes(kept, [](double* to, const double* from, engine::Index count) {
    std::copy_n(from, count, to);
  });
}

void restore_kept(const engine::Cpu&, const Kept<engine::Host>& kept, std::string_view bytes) {
  restore_from_bytes(kept, bytes, [](double* to, const double* from, engine::Index count) {
    std::copy_n(from, count, to);
  });
}

}  // namespace mote::sim

#include "engine/types.h"

namespace mote::engine {

std::string_view name_of(Backend backend) {
  switch (backend) {
    case Backend::automatic:
      return "auto";
    case Backend::cpu:
      return "cpu";
    case Backend::cuda:
      return "cuda";
  }
  return "?";
}

std::string_view name_of(Precision precision) {
  switch (precision) {
    case Precision::single:
      return "single";
    case Precision::mixed:
      return "mixed";
    case Precision::double_:
      return "double";
  }
  return "?";
}

std::optional<Backend> backend_named(std::string_view word) {
  for (Backend b : {Backend::automatic, Backend::cpu, Backend::cuda})
    if (word == name_of(b)) return b;
  return std::nullopt;
}

std::optional<Precision> precision_named(std::string_view word) {
  for (Precision p : {Precision::single, Precision::mixed, Precision::double_})
    if (word == name_of(p)) return p;
  return std::nullopt;
}

}  // namespace mote::engine

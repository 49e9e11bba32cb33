// Memory needs of a GPU.
#include "sim/measure/histogram_device.h"
#include "sim/measure/measurement_device.h"
#include "sim/motion/integrators.h"
#include "sim/run/plan.h"

namespace mote::sim {

std::uint64_t device_bytes_for(const Model& model, engine::Index count, engine::Precision precision,
                               int ranks) {
  // Allowance for rounding each array up to device pages of 2 MiB.
  constexpr std::uint64_t pages = std::uint64_t{64} << 20;
  return pages + state_bytes_of_rank(model, count, precision, ranks) +
         StateMeasure<engine::Cuda>::device_bytes(count) + histogram_device_bytes(count) +
         // Beside what it keeps, an integrator has about as much again for the present step.
         2 * static_cast<std::uint64_t>(count) * info_of(model.integrator).bytes_per_body /
             static_cast<std::uint64_t>(ranks) +
         device_force_bytes(model, count, precision);
}

}  // namespace mote::sim

#include "bench/ladder.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "bench/force_error.h"
#include "engine/exec/timing.h"
#include "engine/machine.h"
#include "sim/gravity/direct_device.h"
#include "sim/motion/motion.h"
#include "tests/support/states.h"

// A ladder of force kernels on a GPU, in single precision: the gain of each optimisation. Every
// rung is checked against a direct sum in double before it is timed.
//   usage: mote_ladder [N]
namespace mote::bench {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;
using sim::DirectKernel;
using sim::State;
using sim::StateView;

constexpr double softening = static_cast<double>(ladder_softening);

/// One set of bodies on the host and on the device, in single precision.
class Bodies {
 public:
  Bodies(const Cuda& exec, Index count)
      : exec_(exec),
        host_(test::random_state(count, engine::Precision::single)),
        device_(count, host_.precision()) {
    for_each_array([&](float* device, float* host) {
      engine::copy_to_device(device, host, count, exec_.stream);
    });
    engine::wait(exec_);
  }
  const State<Host>& host() const { return host_; }
  State<Device>& device() { return device_; }
  StateView<float> view() {
    StateView<float> view{};
    device_.visit([&]<class Real>(StateView<Real> s) {
      if constexpr (std::is_same_v<Real, float>) view = s;
    });
    return view;
  }
  const State<Host>& fetch() {
    for_each_array([&](float* device, float* host) {
      engine::copy_to_host(host, device, host_.count(), exec_.stream);
    });
    engine::wait(exec_);
    return host_;
  }

 private:
  template <class Use>
  void for_each_array(Use&& use) {
    const StateView<float> d = view();
    host_.visit([&]<class Real>(StateView<Real> h) {
      if constexpr (std::is_same_v<Real, float>) {
        use(d.mass, h.mass), use(d.x, h.x), use(d.y, h.y), use(d.z, h.z);
        use(d.ax, h.ax), use(d.ay, h.ay), use(d.az, h.az);
      }
    });
  }
  const Cuda& exec_;
  State<Host> host_;
  State<Device> device_;
};

struct Rung {
  const char* name;
  const char* description;
  double allowed;  ///< 90th percentile of the error
  std::function<void()> work;
};

/// Checks and times a rung; false if its forces are wrong.
bool measure(const Cuda& exec, Bodies& bodies, const Rung& rung) {
  const Index count = bodies.host().count();
  // An odd stride covers all lanes of a warp.
  const Index stride = count / 4096 | 1;
  rung.work();
  const ForceErrors errors = force_errors(bodies.fetch(), softening, count / stride);
  if (!(errors.p90 <= rung.allowed)) {
    std::printf("%-14s WRONG: p90 error %.1e, worst %.1e\n", rung.name, errors.p90, errors.worst);
    return false;
  }
  const engine::Timing timing = engine::time_batches(20, 5e-3, [&](std::uint64_t runs) {
    return engine::device_seconds(exec, [&] {
      for (std::uint64_t k = 0; k < runs; ++k) rung.work();
    });
  });
  const double rate = static_cast<double>(count) * static_cast<double>(count) / timing.median;
  std::printf("%-14s %10.3f ms %10.3e interactions/s %7.2f TFLOP/s  p90 %.0e worst %.0e  %s\n",
              rung.name, 1e3 * timing.median, rate, 20e-12 * rate, errors.p90, errors.worst,
              rung.description);
  std::fflush(stdout);
  return true;
}

int measure_all(Index count) {
  const engine::CudaInfo cuda = engine::cuda_info(0);
  if (!cuda.problem.empty()) {
    std::fprintf(stderr, "mote_ladder: %s\n", cuda.problem.c_str());
    return 1;
  }
  std::printf("%s, commit %s, N = %lld, single precision, median of 20\n",
              cuda.devices.front().name.c_str(), engine::build_info().commit.c_str(),
              static_cast<long long>(count));
  const engine::Stream stream(0);
  const Cuda exec = stream.policy();
  Bodies bodies(exec, count);

  const auto registers = [&](int bodies_per_thread) {
    return [&, bodies_per_thread] { register_forces(exec, bodies.view(), bodies_per_thread); };
  };
  const auto shipped = [&](DirectKernel kernel) {
    auto gravity = std::make_shared<sim::DeviceDirectGravity>(
        exec, sim::Gravity{.softening = softening}, 1.0, bodies.host(), kernel);
    return [&, gravity] {
      sim::StepReport ignored;
      clear_accelerations(exec, bodies.device());
      gravity->run(exec, bodies.device(), ignored);
    };
  };
  // The error of pure float sums increases with their length.
  constexpr double float_sums = 3e-5, flushed = 3e-6;
  const std::vector<Rung> rungs{
      {"naive", "one thread per body, sources from global memory, sums in float", float_sums,
       [&] { naive_forces(exec, bodies.view()); }},
      {"shared", "sources in shared memory, tile sums accumulated in double", flushed,
       registers(1)},
      {"2 bodies", "each source read from shared memory is used for two bodies", flushed,
       registers(2)},
      {"4 bodies", "... for four", flushed, registers(4)},
      {"8 bodies", "... for eight", flushed, registers(8)},
      {"tiled", "mote's reference kernel: as 'shared', with packed sources", flushed,
       shipped(DirectKernel::tiled)},
      {"gather", "mote, few bodies: one warp per pair of bodies, sources split over lanes", flushed,
       shipped(DirectKernel::gather)},
      {"split", "mote: four bodies per thread, sources split over blocks, asynchronous copies",
       flushed, shipped(DirectKernel::split)},
      {"symmetric", "mote: each pair once, sums rotated through the lanes", flushed,
       shipped(DirectKernel::symmetric)},
      {"wide", "mote: the same with larger blocks: fewer shuffles and loads per pair", flushed,
       shipped(DirectKernel::wide)}};
  int wrong = 0;
  for (const Rung& rung : rungs) wrong += measure(exec, bodies, rung) ? 0 : 1;
  return wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace mote::bench

int main(int count, char** arguments) {
  const long long n = count > 1 ? std::atoll(arguments[1]) : 65536;
  if (count > 2 || n < 1 || n > 4194304) {
    std::fprintf(stderr, "usage: mote_ladder [N], from 1 to 4194304; 65536 by default\n");
    return 2;
  }
  try {
    return mote::bench::measure_all(n);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "mote_ladder: %s\n", e.what());
    return 1;
  }
}

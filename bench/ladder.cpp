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

// The ladder of force kernels on a GPU, in single precision: what each idea brings. Every rung is
// compared with a plain sum in double before it is timed.
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
    on_both([&](float* there, float* here) {
      engine::copy_to_device(there, here, count, exec_.stream);
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
    on_both([&](float* there, float* here) {
      engine::copy_to_host(here, there, host_.count(), exec_.stream);
    });
    engine::wait(exec_);
    return host_;
  }

 private:
  template <class Use>
  void on_both(Use&& use) {
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
  const char* idea;
  double allowed;  ///< error of the 90th percentile
  std::function<void()> work;
};

/// Whether the rung is right.
bool climb(const Cuda& exec, Bodies& bodies, const Rung& rung) {
  const Index count = bodies.host().count();
  // An odd stride looks at every lane of a warp.
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
              rung.idea);
  std::fflush(stdout);
  return true;
}

int climb_all(Index count) {
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

  const auto registers = [&](int bodies_of_thread) {
    return [&, bodies_of_thread] { register_forces(exec, bodies.view(), bodies_of_thread); };
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
  // Sums of float alone lose more, the longer they are.
  constexpr double float_sums = 3e-5, flushed = 3e-6;
  const std::vector<Rung> rungs{
      {"naive", "a thread a body, sources from global memory, sums in float", float_sums,
       [&] { naive_forces(exec, bodies.view()); }},
      {"shared", "sources through shared memory, tile sums to double", flushed, registers(1)},
      {"2 bodies", "a source read from shared memory serves two bodies", flushed, registers(2)},
      {"4 bodies", "... serves four", flushed, registers(4)},
      {"8 bodies", "... serves eight", flushed, registers(8)},
      {"tiled", "mote's reference rung: as 'shared', sources packed before", flushed,
       shipped(DirectKernel::tiled)},
      {"gather", "mote, few bodies: a warp a pair of bodies, its lanes share the sources", flushed,
       shipped(DirectKernel::gather)},
      {"split", "mote: four bodies a thread, sources split over blocks, tiles copied ahead",
       flushed, shipped(DirectKernel::split)},
      {"symmetric", "mote: each pair once, sums rotate through the lanes", flushed,
       shipped(DirectKernel::symmetric)},
      {"wide", "mote: the same with larger blocks: fewer shuffles and places a pair", flushed,
       shipped(DirectKernel::wide)}};
  int wrong = 0;
  for (const Rung& rung : rungs) wrong += climb(exec, bodies, rung) ? 0 : 1;
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
    return mote::bench::climb_all(n);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "mote_ladder: %s\n", e.what());
    return 1;
  }
}

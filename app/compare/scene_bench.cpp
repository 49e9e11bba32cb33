#include "app/compare/scene_bench.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/compare/bench_report.h"
#include "app/compare/workbench.h"
#include "engine/check.h"
#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/gravity/direct.h"
#include "sim/motion/motion.h"
#include "sim/output/state_file.h"
#include "sim/run/initial_state.h"
#include "sim/run/simulation.h"

namespace mote::app {
namespace {

/// A timing takes at least this [s], so that the clock's resolution and wake-ups of threads do not
/// count.
constexpr double shortest = 0.03;
/// A force that takes no longer [s] acts in other stages, as a thermostat does.
constexpr double nothing = 2e-8;

template <class Work>
engine::Timing time_calls(int repeats, const Work& work) {
  return engine::time_batches(repeats, shortest, [&](std::uint64_t runs) {
    return engine::host_seconds([&] {
      for (std::uint64_t k = 0; k < runs; ++k) work(k);
    });
  });
}

/// Number of stages of a kind in a step.
double count_of(const sim::Step& step, sim::StageKind kind) {
  return static_cast<double>(std::count_if(
      step.begin(), step.end(), [kind](const sim::Stage& stage) { return stage.kind == kind; }));
}

/// Forces by module, kicks and drifts on a copy of the bodies. These stay where they are, so lists
/// of neighbours are not made again.
void add_parts_of_a_step(const sim::SceneDescription& scene, const sim::Plan& plan, double dt,
                         int repeats, std::vector<ScenePart>& parts) {
  const engine::Cpu exec = plan.cpu;
  sim::InitialState start = sim::make_initial_state(scene, plan);
  sim::State<engine::Host>& state = start.state;
  const sim::Step stages = sim::step_of(start.model);
  const sim::StepClock clock{0, dt, 0, 0};
  const sim::StageTime now{&clock, nullptr, 0};
  for (const sim::Physics& p : start.model.physics) {
    sim::Forces<engine::Cpu> forces;
    p.add_forces(exec, start.model, state, forces);
    if (forces.empty()) continue;
    ScenePart part{"forces of " + std::string(p.info().subject)};
    part.per_step = count_of(stages, sim::StageKind::force);
    sim::StepReport report;
    const auto run = [&](std::uint64_t) {
      for (const auto& force : forces) force->run(exec, state, {now}, report);
    };
    run(0);  // makes lists
    report = {};
    run(0);
    part.interactions = static_cast<double>(report.interactions);
    part.timing = time_calls(repeats, run);
    if (part.timing.median > nothing) parts.push_back(std::move(part));
  }
  const sim::ForceSet<engine::Cpu> forces(sim::make_forces(exec, start.model, state));
  sim::StepReport report;
  forces.evaluate(exec, state, now, report);
  const auto add = [&](const char* name, sim::StageKind kind, const auto& work) {
    const double calls = count_of(stages, kind);
    if (calls > 0) parts.push_back({name, time_calls(repeats, work), calls});
  };
  // Kicks and drifts there and back, so that no body leaves.
  const auto there_and_back = [dt](std::uint64_t k) { return k % 2 == 0 ? dt : -dt; };
  add("kick", sim::StageKind::kick, [&](std::uint64_t k) {
    if (forces.kicking)
      forces.kicking->kick(exec, state, there_and_back(k), now);
    else
      sim::kick(exec, state, there_and_back(k));
  });
  add("drift", sim::StageKind::drift,
      [&](std::uint64_t k) { sim::drift(exec, state, there_and_back(k)); });
  if (forces.heating)
    add("thermostat", sim::StageKind::thermostat,
        [&](std::uint64_t) { forces.heating->exchange_heat(exec, state, dt, now); });
  if (forces.constraining)
    add("constraints", sim::StageKind::constrain,
        [&](std::uint64_t) { forces.constraining->constrain(exec, state, dt, now); });
}

ScenePart time_pack(sim::Simulation& simulation, int repeats) {
  const auto n = static_cast<std::size_t>(simulation.count());
  std::vector<float> positions(3 * n), scalars(n);
  const engine::PointFrame frame{.positions = positions.data(), .scalars = scalars.data()};
  return {"points of a picture",
          time_calls(repeats, [&](std::uint64_t) { simulation.pack(frame, {}); })};
}

/// Into the folder for temporary files, without waiting for the disk.
ScenePart time_snapshot(sim::Simulation& simulation, const sim::SceneDescription& scene,
                        int repeats) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("mote-bench-{}.h5", ::getpid());
  const struct Removal {
    const std::filesystem::path& file;
    ~Removal() {
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
    }
  } removal{file};  // also after an error
  const auto write = [&](std::uint64_t) { sim::write_state(file, simulation, scene); };
  return {"snapshot (hdf5)", time_calls(repeats, write)};
}

}  // namespace

ScenePart time_steps(sim::Simulation& simulation, const sim::SceneDescription& scene, int repeats) {
  const auto start = simulation.save();
  ScenePart part{"step"};
  part.per_step = 1;
  part.timing = engine::time_batches(repeats, shortest, [&](std::uint64_t runs) {
    simulation.restore(*start);
    sim::StepReport report;
    const double seconds = engine::host_seconds([&] { report = simulation.advance(runs, {}); });
    if (report.health != sim::Health::good)
      throw engine::InputError(scene.file.string(),
                               fmt::format("becomes unhealthy within {} steps", simulation.step()),
                               "`mote run` says why; time a scene that runs");
    part.interactions = static_cast<double>(report.interactions) / static_cast<double>(runs);
    return seconds;
  });
  simulation.restore(*start);
  return part;
}

SceneTimes time_scene(const sim::SceneDescription& scene, const sim::Plan& plan, int repeats) {
  const auto simulation = sim::open_simulation(scene, plan);
  const auto force_errors = simulation->force_errors();
  std::vector<ScenePart> parts{time_steps(*simulation, scene, repeats)};
  if (plan.backend == engine::Backend::cpu) {
    add_parts_of_a_step(scene, plan, simulation->dt(), repeats, parts);
    double known = 0;
    for (std::size_t i = 1; i < parts.size(); ++i) known += parts[i].seconds_per_step();
    ScenePart rest{"rest of the step"};
    rest.timing.median = parts[0].timing.median - known;
    rest.per_step = known > 0 && rest.timing.median > 0 ? 1 : 0;
    if (rest.per_step > 0) parts.push_back(rest);
  } else if (sim::only_module(scene) && parts[0].interactions > 0 &&
             scene.physics.find<sim::Gravity>()) {
    const engine::CudaInfo cuda = engine::cuda_info(plan.device);
    parts[0].limit =
        counted_limit(cuda.devices[static_cast<std::size_t>(plan.device)],
                      kernel_chosen_for(simulation->count(), plan.precision), plan.precision);
  }
  parts.push_back(
      {"measurement", time_calls(repeats, [&](std::uint64_t) { simulation->measure(); })});
  parts.push_back(time_pack(*simulation, repeats));
  parts.push_back({"state hash", time_calls(repeats, [&](std::uint64_t) { simulation->hash(); })});
  parts.push_back(time_snapshot(*simulation, scene, std::min(repeats, 5)));
  return {std::move(parts), force_errors};
}

void print_parts(const std::vector<ScenePart>& parts) {
  engine::print("{:<22}  {:>11}  {:>23}  {:>8}  {:>7}  {:>13}  {}\n", "part", "one call",
                "fastest to slowest", "per step", "share", "interactions", "of limit");
  const double step = parts[0].timing.median;
  for (const ScenePart& part : parts) {
    const engine::Timing& t = part.timing;
    const bool is_rest = t.runs == 0;
    engine::print(
        "{:<22}  {:>11}  {:>23}  {:>8}  {:>7}  {:>13}  {}\n", part.name,
        engine::short_time_text(t.median),
        is_rest ? ""
                : engine::short_time_text(t.fastest) + " to " + engine::short_time_text(t.slowest),
        part.per_step > 0 ? fmt::format("{:g}", part.per_step) : "",
        part.per_step > 0 ? fmt::format("{:.1f} %", 100 * part.seconds_per_step() / step) : "",
        part.interactions > 0 ? fmt::format("{:.3g}/s", part.rate()) : "",
        part.limit > 0 ? fmt::format("{:.0f} %", 100 * part.rate() / part.limit) : "");
  }
}

engine::Json json_of(const std::vector<ScenePart>& parts) {
  engine::Json all = engine::Json::array();
  for (const ScenePart& part : parts) {
    engine::Json one{{"part", part.name}, {"seconds", part.timing.median}};
    if (part.timing.runs > 0)
      one.update({{"fastest", part.timing.fastest},
                  {"slowest", part.timing.slowest},
                  {"runs", part.timing.runs}});
    if (part.per_step > 0) one["per_step"] = part.per_step;
    if (part.interactions > 0)
      one["interactions"] = part.interactions, one["interactions_per_second"] = part.rate();
    if (part.limit > 0) one["limit"] = part.limit;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace mote::app

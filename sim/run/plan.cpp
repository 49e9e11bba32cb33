#include "sim/run/plan.h"

#include <algorithm>
#include <optional>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/exec/ranks.h"
#include "engine/machine.h"
#include "engine/text.h"
#include "sim/model/modules.h"
#include "sim/motion/integrators.h"
#include "sim/state.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Precision;

/// Up to this, a scene is a few-body problem: accuracy matters, not speed.
constexpr Index few_bodies = 1024;
/// Steps between measurements above that: measuring the energy costs about a force evaluation, so
/// about a twentieth of the run time.
constexpr std::int64_t many_bodies_series = 20;

/// Below this, a step on the CPU takes less time than one measurement on a GPU.
constexpr Index gpu_from = 512;
Precision choose_precision(const SceneDescription& scene, const RunOptions& options, Plan& plan) {
  const IntegratorInfo& integrator = info_of(scene.integrator);
  if (!integrator.any_precision) {
    const auto wanted =
        options.precision ? options.precision : engine::precision_named(scene.head.precision);
    if (wanted && *wanted != Precision::double_)
      throw engine::InputError(options.precision ? "--precision" : scene.file.string(),
                               "the integrator " + integrator.name + " needs double precision",
                               "use precision double, or leapfrog");
    plan.reasons.push_back("precision double: the integrator " + integrator.name);
    return Precision::double_;
  }
  if (options.precision) return *options.precision;
  if (const auto named = engine::precision_named(scene.head.precision)) return *named;
  const bool few = scene.body_count() <= few_bodies;
  if (!few && integrator.block_steps) {
    // Distances of close bodies need more digits than single precision has.
    plan.reasons.push_back("precision mixed: the integrator " + integrator.name);
    return Precision::mixed;
  }
  plan.reasons.push_back(few ? "precision double: at most 1,024 bodies"
                             : "precision single: more than 1,024 bodies");
  return few ? Precision::double_ : Precision::single;
}

/// Throws InputError if there is no such device.
const engine::CudaDevice& chosen_device(const engine::CudaInfo& cuda, int device) {
  if (device >= 0 && device < static_cast<int>(cuda.devices.size()))
    return cuda.devices[static_cast<std::size_t>(device)];
  const auto last = static_cast<int>(cuda.devices.size()) - 1;
  throw engine::InputError(
      "--device " + std::to_string(device), "there is no such GPU",
      last == 0 ? "the only one is 0" : "they are 0 to " + std::to_string(last));
}

void choose_backend(const SceneDescription& scene, const RunOptions& options, Plan& plan) {
  using engine::Backend;
  plan.backend = Backend::cpu;
  const auto cpu_because = [&](const std::string& reason) {
    plan.reasons.push_back("backend cpu: " + reason);
  };
  const bool gpu_option = options.device || options.stepping != Stepping::automatic;
  const bool gpu_wanted = gpu_option || !options.devices.empty();
  if (options.backend == Backend::cpu && gpu_option)
    throw engine::InputError(options.device ? "--device" : "--stepping",
                             "is for the CUDA backend only", "leave it out, or use --backend cuda");
  if (options.backend == Backend::cpu) return;
  const bool automatic = options.backend == Backend::automatic && !gpu_wanted;
  if (automatic && scene.body_count() < gpu_from) return cpu_because("fewer than 512 bodies");
  const engine::CudaInfo cuda = engine::cuda_info(device_of(options));
  if (cuda.devices.empty()) {
    if (automatic) return cpu_because(cuda.problem);
    throw engine::InputError("--backend cuda", cuda.problem, cuda.remedy);
  }
  for (const int number : options.devices) {
    const engine::CudaDevice& other = chosen_device(cuda, number);
    const engine::CudaInfo own = engine::cuda_info(number);
    if (!own.problem.empty()) throw engine::InputError("--backend cuda", own.problem, own.remedy);
    if (other.compute_capability != chosen_device(cuda, device_of(options)).compute_capability)
      throw engine::InputError("--devices", "GPUs of different kinds would give different bits",
                               "use GPUs of one kind");
  }
  if (const std::string pairs = engine::pairs_without_link(cuda.devices, options.devices);
      !pairs.empty())
    plan.reasons.push_back("GPUs " + pairs +
                           " have no link that lets one read the other's memory: what they "
                           "exchange in each step passes through host memory, and is slower");
  const engine::CudaDevice& device = chosen_device(cuda, device_of(options));
  if (!cuda.problem.empty()) {
    if (automatic) return cpu_because(cuda.problem);
    throw engine::InputError("--backend cuda", cuda.problem, cuda.remedy);
  }
  const DeviceSupport support = device_support(scene, device.compute_capability);
  if (!support.problem.empty()) {
    if (automatic) return cpu_because(support.problem);
    throw engine::InputError("--backend cuda", support.problem, support.remedy);
  }
  if (!support.note.empty()) plan.reasons.push_back(support.note);
  plan.backend = Backend::cuda;
  plan.device = device_of(options);
  plan.device_name = device.name;
  if (automatic) plan.reasons.push_back("backend cuda: " + device.name);
}

bool any_expands(const std::vector<Evaluation>& evaluations) {
  return std::any_of(evaluations.begin(), evaluations.end(),
                     [](const Evaluation& e) { return e.expands; });
}

/// All that acts on the bodies of a scene, "lennard_jones and thermostat".
std::string forces_text(const Model& model) {
  std::vector<std::string> names;
  for (const Physics& p : model.physics) names.push_back(p.info().subject);
  return names.empty() ? "no forces" : engine::joined(names, " and ");
}

/// True if steps are lists of stages, which graphs and kernels of whole steps take.
bool has_stages(const Model& model) {
  return !info_of(model.integrator).stages.empty();
}

/// True if a module takes whole steps of this kind.
bool takes(const ModuleInfo& module, Stepping kind) {
  return std::find(module.steppings.begin(), module.steppings.end(), kind) !=
         module.steppings.end();
}

/// True if whole steps of this kind, which are for up to `limit` bodies, can step the scene.
/// Otherwise sets `why`.
bool steps_fit(const SceneDescription& scene, Index limit, Stepping kind, std::string& why) {
  const Physics* const alone = only_module(scene);
  if (!has_stages(scene))
    why = "the integrator " + scene.integrator.name + " has no stages";
  else if (!alone || !takes(alone->info(), kind))
    why = "it is for " + joined_subjects([&](const ModuleInfo& m) { return takes(m, kind); }) +
          " alone, and the scene has " + forces_text(scene);
  else if (scene.body_count() == 0)
    why = "there are no bodies";
  else if (limit == 0)
    why = "this GPU does not support it";
  else if (scene.body_count() > limit)
    why = "it is for at most " + engine::with_thousands(limit) + " bodies here";
  return why.empty();
}

/// The fewest bodies of which several GPUs take many steps in a kernel by themselves (--devices
/// all): two H200 take 8.1 us for a step of 4,096 where one takes 11.1, and 3.9 for 2,048, as one
/// does.
constexpr Index stepped_together_from = 4096;

/// Takes the first of the GPUs alone, if the options allow it and the bodies are too few to gain
/// from several.
void choose_devices(const SceneDescription& scene, RunOptions& options, Plan& plan) {
  if (!options.as_many_as_gain || options.devices.size() < 2) return;
  Plan trial{};
  const Workload work{scene.body_count(), engine::Backend::cuda,
                      choose_precision(scene, options, trial)};
  const bool expands = any_expands(evaluations_of(scene, work));
  const Index from = expands ? shared_by_expansions_from : shared_by_direct_sums_from;
  if (work.bodies >= from) return;
  std::string why;
  const WholeStepLimits limits =
      options.backend == engine::Backend::cpu
          ? WholeStepLimits{}
          : stepping_limits(scene, options.devices.front(), work.precision);
  if (!expands && work.bodies >= stepped_together_from &&
      steps_fit(scene, limits.cooperative, Stepping::cooperative, why))
    return;
  std::vector<std::string> named;
  for (const int device : options.devices) named.push_back(std::to_string(device));
  plan.reasons.push_back("one GPU: several are estimated to be faster from " +
                         engine::with_thousands(from) + " bodies on" +
                         (expands ? ", by expansions" : "") + "; --devices " +
                         engine::joined(named, ",") + " shares fewer, too");
  if (options.backend != engine::Backend::cpu) options.device = options.devices.front();
  options.devices.clear();
}

void choose_stepping(const SceneDescription& scene, const RunOptions& options, Plan& plan) {
  if (plan.backend != engine::Backend::cuda) return;
  const WholeStepLimits limits = stepping_limits(scene, plan.device, plan.precision);
  std::string no_cluster, no_cooperative;
  if (ranks_of(plan) > 1 || plan.ranks) {
    // Only kernels of one process write to the memory of other devices.
    const bool together = plan.ranks ? plan.ranks->share_memory() : plan.processes == 0;
    const bool cooperative =
        together && steps_fit(scene, limits.cooperative, Stepping::cooperative, no_cooperative);
    plan.stepping = options.stepping;
    if (options.stepping == Stepping::automatic)
      plan.stepping = cooperative ? Stepping::cooperative : Stepping::launch;
    if (plan.stepping != Stepping::launch &&
        (plan.stepping != Stepping::cooperative || !cooperative))
      throw engine::InputError("--stepping " + std::string(name_of(options.stepping)),
                               !no_cooperative.empty() && plan.stepping == Stepping::cooperative
                                   ? no_cooperative
                                   : "several GPUs or processes do not step so",
                               "use --stepping auto or launch");
    plan.reasons.push_back("stepping " + std::string(name_of(plan.stepping)) +
                           ": several GPUs or processes");
    return;
  }
  const bool cluster = steps_fit(scene, limits.cluster, Stepping::cluster, no_cluster);
  const bool cooperative =
      steps_fit(scene, limits.cooperative, Stepping::cooperative, no_cooperative);
  plan.stepping = options.stepping;
  if (options.stepping == Stepping::automatic) {
    const Physics* const alone = only_module(scene);
    const bool takes_whole_steps = alone && !alone->info().steppings.empty();
    plan.stepping = cluster             ? Stepping::cluster
                    : cooperative       ? Stepping::cooperative
                    : has_stages(scene) ? Stepping::graph
                                        : Stepping::launch;
    plan.reasons.push_back("stepping " + std::string(name_of(plan.stepping)) +
                           (!has_stages(scene)  ? ": the integrator " + scene.integrator.name
                            : takes_whole_steps ? ""
                                                : ": the scene has " + forces_text(scene)));
  }
  if (plan.stepping == Stepping::graph && !has_stages(scene))
    throw engine::InputError("--stepping graph", no_cluster, "use --stepping auto or launch");
  const bool refused = (plan.stepping == Stepping::cluster && !cluster) ||
                       (plan.stepping == Stepping::cooperative && !cooperative);
  if (refused)
    throw engine::InputError("--stepping " + std::string(name_of(plan.stepping)),
                             plan.stepping == Stepping::cluster ? no_cluster : no_cooperative,
                             has_stages(scene) ? "use --stepping auto, graph or launch"
                                               : "use --stepping auto or launch");
}

void choose_cpu(const RunOptions& options, Plan& plan) {
  const int sharing = plan.ranks           ? plan.ranks->sharing_cores()
                      : plan.processes > 0 ? 1
                                           : ranks_of(plan);
  plan.cpu.threads = options.threads.value_or(std::max(1, engine::available_threads() / sharing));
  plan.cpu.simd = options.simd.value_or(engine::best_simd_level());
  const auto& levels = engine::supported_simd_levels();
  if (std::find(levels.begin(), levels.end(), plan.cpu.simd) == levels.end())
    throw engine::InputError(
        "--simd " + std::string(name_of(plan.cpu.simd)),
        "this processor does not have these instructions",
        "the best it has is " + std::string(name_of(engine::best_simd_level())));
}

}  // namespace

void take_devices(RunOptions& options, const std::string& list) {
  if (options.backend == engine::Backend::cpu)
    throw engine::InputError("--devices " + list, "is for the CUDA backend only",
                             "leave it out, or use --backend cuda");
  const engine::CudaInfo cuda = engine::cuda_info();
  if (cuda.devices.empty())
    throw engine::InputError("--devices " + list, cuda.problem, cuda.remedy);
  options.devices = engine::gpus_listed(list, static_cast<int>(cuda.devices.size()), "--devices");
  options.as_many_as_gain = list == "all";
}

int device_of(const RunOptions& options) {
  return options.devices.empty() ? options.device.value_or(0) : options.devices.front();
}

const Physics* only_module(const Model& model) {
  return model.physics.size() == 1 ? &*model.physics.begin() : nullptr;
}

WholeStepLimits stepping_limits(const Model& model, int device, Precision precision) {
  const Physics* const alone = has_stages(model) ? only_module(model) : nullptr;
  return alone ? alone->whole_step_limits({device, nullptr}, precision) : WholeStepLimits{};
}

void refuse_expansions(const Model& model, Index bodies,
                       const std::vector<Evaluation>& evaluations) {
  const auto& rules = info_of(model.integrator).excludes;
  const bool refused = std::any_of(rules.begin(), rules.end(), [](const IntegratorRule& rule) {
    return rule.feature == expanded_forces;
  });
  if (refused && any_expands(evaluations))
    throw engine::InputError(
        model.file.string(),
        engine::with_thousands(bodies) +
            " bodies are for expansions, which cannot be combined with the integrator " +
            model.integrator.name,
        "use leapfrog, or gravity.solver = \"direct\"");
}

CopiesNeeded need_of_copies(const std::optional<CopiesNeeded>& of_forces, const Model& model) {
  // Jerks are sums of velocities too.
  if (of_forces == CopiesNeeded::positions && info_of(model.integrator).block_steps)
    return CopiesNeeded::velocities;
  if (of_forces) return *of_forces;
  throw engine::InputError(
      model.file.string(),
      "this physics cannot be divided between GPUs or processes yet: gravity, fields and fixed "
      "bodies can",
      "use one GPU or process");
}

bool steps_in_batch(const Plan& plan, const Model& model, Index count) {
  const bool one_kernel =
      plan.stepping == Stepping::cluster || plan.stepping == Stepping::cooperative;
  return plan.backend == engine::Backend::cuda && one_kernel && count > 0 &&
         count <= stepping_limits(model, plan.device, plan.precision).batch;
}

Stepping stepping_for(const Plan& plan, const Model& model, Index count) {
  if (plan.stepping != Stepping::cluster && plan.stepping != Stepping::cooperative)
    return plan.stepping;
  const WholeStepLimits limits = stepping_limits(model, plan.device, plan.precision);
  if (plan.stepping == Stepping::cluster && count <= limits.cluster) return Stepping::cluster;
  if (count > 0 && count <= limits.cooperative) return Stepping::cooperative;
  return plan.ranks ? Stepping::launch : Stepping::graph;
}

int ranks_of(const Plan& plan) {
  return plan.ranks ? plan.ranks->size()
                    : std::max({1, static_cast<int>(plan.devices.size()), plan.processes});
}

Plan make_plan(const SceneDescription& scene, const RunOptions& given) {
  Plan plan{};
  RunOptions options = given;
  choose_devices(scene, options, plan);
  plan.ranks = options.ranks;
  plan.devices = options.devices;
  plan.processes = options.processes;
  choose_backend(scene, options, plan);
  choose_cpu(options, plan);
  plan.precision = choose_precision(scene, options, plan);
  plan.evaluations = evaluations_of(scene, {scene.body_count(), plan.backend, plan.precision});
  for (const Evaluation& evaluation : plan.evaluations) {
    if (!evaluation.choice.empty()) plan.reasons.push_back(evaluation.choice);
  }
  refuse_expansions(scene, scene.body_count(), plan.evaluations);
  choose_stepping(scene, options, plan);
  if (options.lockstep && steps_in_batch(plan, scene, scene.body_count())) {
    plan.lockstep = options.lockstep;
    plan.reasons.push_back("stepped in batches with other small systems");
  }
  for (std::string& note : energy_notes(scene)) plan.reasons.push_back(std::move(note));
  // A measurement takes as long as the forces of all bodies.
  const bool of_all = !info_of(scene.integrator).block_steps;
  plan.series_steps = scene.series.steps.value_or(
      of_all && scene.body_count() <= few_bodies ? 1 : many_bodies_series);
  plan_memory(scene, options, plan);
  return plan;
}

}  // namespace mote::sim

#include "sim/run/registry.h"

#include <utility>

#include "sim/gravity/direct.h"

namespace mote::sim {
namespace {

/// Any class with the two functions of a force module.
template <class Module, class Exec>
class ForceOf final : public Force<Exec> {
 public:
  using Space = typename Exec::Space;
  explicit ForceOf(Module module) : module_(std::move(module)) {}
  void run(const Exec& exec, State<Space>& state, StepReport& report) override {
    module_.run(exec, state, report);
  }
  double potential_energy(const Exec& exec, const State<Space>& state) override {
    return module_.potential_energy(exec, state);
  }

 private:
  Module module_;
};

}  // namespace

std::vector<ModuleInfo> modules() {
  return {DirectGravity::info()};
}

template <class Exec>
std::vector<std::unique_ptr<Force<Exec>>> make_forces(const SceneDescription& scene,
                                                      engine::Precision precision) {
  std::vector<std::unique_ptr<Force<Exec>>> forces;
  if (scene.gravity)
    forces.push_back(std::make_unique<ForceOf<DirectGravity, Exec>>(
        DirectGravity(*scene.gravity, scene.units.gravitational, scene.body_count(), precision)));
  return forces;
}

template std::vector<std::unique_ptr<Force<engine::Cpu>>> make_forces(const SceneDescription&,
                                                                      engine::Precision);

}  // namespace mote::sim

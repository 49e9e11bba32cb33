#include "app/compare/expansion_bench.h"
#include "app/compare/workbench.h"
#include "engine/check.h"

namespace mote::app {
namespace {

[[noreturn]] void refuse() {
  throw engine::SystemError("sum forces on a GPU", "this build has no CUDA", "use --backend cpu");
}

}  // namespace

std::unique_ptr<Workbench> device_workbench(int, const sim::State<engine::Host>&, double,
                                            sim::DirectKernel) {
  refuse();
}

std::unique_ptr<ExpansionBench> device_expansions(int, const sim::State<engine::Host>&, double,
                                                  const sim::MultipoleSettings&) {
  refuse();
}

std::string kernel_chosen_for(engine::Index, engine::Precision) {
  return "";
}

}  // namespace mote::app

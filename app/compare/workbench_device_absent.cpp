#include "app/compare/workbench.h"
#include "engine/check.h"

namespace mote::app {

std::unique_ptr<Workbench> device_workbench(int, const sim::State<engine::Host>&, double,
                                            sim::DirectKernel) {
  throw engine::SystemError("sum forces on a GPU", "this build has no CUDA", "use --backend cpu");
}

std::string kernel_chosen_for(engine::Index, engine::Precision) {
  return "";
}

}  // namespace mote::app

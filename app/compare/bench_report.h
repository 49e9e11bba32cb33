#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/compare/force_check.h"
#include "engine/exec/timing.h"
#include "engine/json_fwd.h"
#include "engine/machine.h"
#include "sim/expansions/multipole.h"
#include "sim/run/plan.h"

namespace mote::app {

/// Forces by multipole expansions, evaluated once.
struct ExpansionReport {
  double pairs = 0, expansions = 0;  ///< summed, per body
  sim::ForceErrors errors = {};      ///< relative to the forces
};

/// One configuration that was checked and timed.
struct BenchRow {
  std::string what;    ///< forces, potential, steps
  std::string method;  ///< kernel, stepping mode or instruction set, as requested
  std::string kernel;  ///< the kernel chosen if `method` leaves that open; otherwise ""
  engine::Precision precision;
  engine::Index count;
  double interactions = 0;  ///< per evaluation: directed ones; pairs for the potential
  double limit = 0;         ///< counted_limit: of the rate, or of evaluations; 0 if not known
  std::optional<ExpansionReport> expansions = {};  ///< set for expansions; `errors` is then unused
  ForceErrors errors = {};
  std::string wrong = {};      ///< the failed check, or ""; a wrong result is not timed
  engine::Timing timing = {};  ///< time of one evaluation, or of one step

  double rate() const { return timing.median > 0 ? interactions / timing.median : 0; }
  /// With the usual count of 20 operations per interaction; 0 for the potential.
  double tflops() const { return what == "potential" || expansions ? 0 : 20e-12 * rate(); }
  double fraction_of_limit() const {
    if (!(limit > 0 && timing.median > 0)) return 0;
    return (expansions ? 1 / timing.median : rate()) / limit;
  }
};

/// Upper bound on interactions per second of a GPU, by instruction count; 0 if the count is not
/// known.
double counted_limit(const engine::CudaDevice& device, const std::string& kernel,
                     engine::Precision precision);

/// The machine that was measured.
struct BenchMachine {
  const sim::Plan& plan;
  engine::CudaInfo cuda;
  int repeats;

  const engine::CudaDevice* device() const;
  void print(bool expansions) const;
  void print_names() const;  ///< prints the names of program and machine alone
  engine::Json json() const;
};

/// Upper bound on evaluations per second of a GPU whose sums are these, by instruction count; 0 if
/// the count is not known. The tree and its lists are not counted.
double counted_limit_of_expansions(const engine::CudaDevice& device,
                                   const sim::MultipoleSolver::Counts& counts,
                                   const sim::MultipoleSettings& settings);

void print_head(bool expansions);
void print(const BenchRow& row);
engine::Json json_of(const BenchRow& row);

/// Shows the current task on a rewritten line, if standard error is a terminal.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  void show(const std::string& text);
  void clear();

 private:
  bool terminal_;
  std::size_t width_ = 0;
};

}  // namespace mote::app

#pragma once

#include <string>
#include <vector>

#include "app/compare/force_check.h"
#include "engine/exec/timing.h"
#include "engine/json_fwd.h"
#include "engine/machine.h"
#include "sim/run/plan.h"

namespace mote::app {

/// One thing that was checked and timed.
struct BenchRow {
  std::string what;    ///< forces, potential, steps
  std::string method;  ///< kernel, stepping or instruction set, as asked for
  std::string kernel;  ///< what sums the forces, when `method` leaves that open; otherwise ""
  engine::Precision precision;
  engine::Index count;
  double interactions = 0;  ///< of one run: directed ones; pairs for the potential
  double limit = 0;         ///< interactions a second by counting, or 0
  ForceErrors errors = {};
  std::string wrong = {};      ///< why this was not timed, or ""
  engine::Timing timing = {};  ///< of one evaluation, or one step

  double rate() const { return timing.median > 0 ? interactions / timing.median : 0; }
  /// 20 operations an interaction in the usual count; 0 where that has no meaning.
  double tflops() const { return what == "potential" ? 0 : 20e-12 * rate(); }
  double share() const { return limit > 0 ? rate() / limit : 0; }
};

/// Interactions a second that a GPU could do if it did nothing else, by counting instructions; 0
/// when a count is not known.
double counted_limit(const engine::CudaDevice& device, const std::string& kernel,
                     engine::Precision precision);

/// Where the numbers are from.
struct BenchMachine {
  const sim::Plan& plan;
  engine::CudaInfo cuda;
  int repeats;

  const engine::CudaDevice* device() const;
  void print() const;
  engine::Json json() const;
};

void print_head();
void print(const BenchRow& row);
engine::Json json_of(const BenchRow& row);

/// What is being done, on a line of the terminal that is rewritten; nothing when standard error is
/// none.
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

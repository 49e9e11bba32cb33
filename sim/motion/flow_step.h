#pragma once

namespace mote::sim {

/// The length of steps that follow a flow [time], after steps of `now`. `stable`: the largest
/// stable one times the Courant number; `longest`: upper limit.
///
/// Lengths are on a ladder of about 5 %, decrease at once and increase only with a margin of 5 %:
/// otherwise they would fluctuate at every update, and the backends, which differ by round-off,
/// would soon take different steps. At least 1/1000 of the longest: a flow that requires less has
/// become unstable, which health checks report.
double flow_step(double now, double stable, double longest);

}  // namespace mote::sim

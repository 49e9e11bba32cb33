#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/source/source.h"

namespace mote::sim {

/// Splits an error of the interpreter, without its location, into problem and remedy. An attempt to
/// use a nil global is most often a misspelt name; arithmetic on text, one of `params` with a unit,
/// which is a number for readers of the scene only.
std::pair<std::string, std::string> explain_message(const std::string& message,
                                                    const std::vector<SceneParam>& params = {});

}  // namespace mote::sim

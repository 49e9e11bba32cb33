#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mote::test {

/// Runs a script with a Python that has these modules ("h5py, numpy"). Returns its output, or
/// nullopt without such a Python.
inline std::optional<std::string> python(const std::string& modules,
                                         const std::filesystem::path& script,
                                         const std::vector<std::filesystem::path>& arguments) {
  for (const char* interpreter : {"/usr/bin/python3", "python3"}) {
    std::string command = interpreter;
    if (std::system((command + " -c 'import " + modules + "' 2>/dev/null").c_str()) != 0) continue;
    command += " " + script.string();
    for (const auto& argument : arguments) command += " " + argument.string();
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::string output;
    char text[256];
    while (std::fgets(text, sizeof text, pipe) != nullptr) output += text;
    ::pclose(pipe);
    return output;
  }
  return std::nullopt;
}

}  // namespace mote::test

#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "engine/check.h"
#include "sim/scene/description.h"
#include "sim/scene/read_scene.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {

/// Reads scenes out of texts.
class SceneText {
 public:
  explicit SceneText(const std::string& text, const std::string& ending = ".lua")
      : file_(folder_.path() / ("scene" + ending)) {
    std::ofstream(file_, std::ios::binary) << text;
  }

  /// Writes a file beside the scene, or below.
  const SceneText& with(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
    return *this;
  }
  std::filesystem::path folder() const { return folder_.path(); }

  SceneDescription read(const Settings& settings = {}) const { return read_scene(file_, settings); }

  /// All problems, each with its location shortened to the line: "7: gravity.sofening: unknown key;
  /// ...".
  std::vector<std::string> problems(const Settings& settings = {}) const {
    std::vector<std::string> lines;
    try {
      read(settings);
    } catch (const engine::InputError& error) {
      for (const engine::Diagnostic& d : error.diagnostics()) {
        std::string text = d.text();
        if (text.starts_with(file_.string())) text = text.substr(file_.string().size() + 1);
        if (text.starts_with(" ")) text = text.substr(1);
        lines.push_back(text);
      }
    }
    return lines;
  }

 private:
  test::TemporaryFolder folder_;
  std::filesystem::path file_;
};

using Lines = std::vector<std::string>;

}  // namespace mote::sim

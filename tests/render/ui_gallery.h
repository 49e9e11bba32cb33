#pragma once

#include <imgui.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "render/ui/widgets.h"

/// All widgets with plausible data, in columns of 320 pixels of an ordinary display.
namespace mote::render::ui {

struct GalleryData {
  std::vector<double> time, kinetic, potential, total, error, momentum, bins;
  std::vector<std::uint64_t> saved, edits{2100, 5200};

  GalleryData() {
    for (int i = 0; i < 20000; ++i) {
      const double t = 0.0005 * i, wave = 0.05 * std::cos(2.2 * t) * std::exp(-0.1 * t);
      time.push_back(t);
      kinetic.push_back(0.25 + wave + 0.004 * std::sin(97 * t));
      potential.push_back(-0.5 - wave);
      total.push_back(-0.25 + 2e-7 * std::sin(3 * t) + 3e-8 * std::sin(913 * t));
      error.push_back(i == 0 ? 0 : 1e-9 * std::exp(1.1 * t) * (1.05 + std::sin(311 * t)));
      momentum.push_back(i > 9000 && i < 11000 ? std::numeric_limits<double>::quiet_NaN()
                                               : std::sin(t) * 1e-16);
    }
    for (int i = 0; i < 50; ++i) {
      const double v = (i + 0.5) / 50 * 3;
      bins.push_back(
          std::round(65536 * 0.06 * 4 / std::sqrt(std::numbers::pi) * v * v * std::exp(-v * v)));
    }
    for (std::uint64_t step = 0; step <= 9000; step += 250) saved.push_back(step);
  }
};

inline void gallery_plots(const GalleryData& data) {
  const Curve energies[] = {{"kinetic", data.time, data.kinetic},
                            {"potential", data.time, data.potential}};
  plot("energies", energies,
       {.x_label = "time [Gyr]", .y_label = "energy [Msun km²/s²]", .mark_x = 8.2});
  const Curve total[] = {{"total energy", data.time, data.total}};
  plot("total", total, {.x_label = "time [Gyr]", .y_label = "total energy", .height = 5});
  const Curve error[] = {{"relative error", data.time, data.error}};
  plot("error", error,
       {.x_label = "time [Gyr]", .y_label = "relative error", .log_y = true, .height = 6});
}

inline void gallery_more_plots(const GalleryData& data) {
  bar_plot("speeds", data.bins, 0, 3,
           {.x_label = "speed [km/s]", .y_label = "bodies", .height = 6, .mark_x = 1.1});
  const Curve parts[] = {{"x", data.time, data.momentum},
                         {"y", data.time, data.momentum},
                         {"z", data.time, data.momentum},
                         {"angular momentum", data.time, data.momentum},
                         {"none", {}, {}}};
  plot("momentum", parts,
       {.x_label = "time [Gyr]", .y_label = "momentum [Msun km/s]", .height = 5});
  plot("empty", {}, {.x_label = "time", .y_label = "virial ratio", .height = 3});
}

inline void gallery_rows() {
  using engine::ParamType;
  const auto row = [](engine::ParamInfo info, ParamType type, engine::ParamValue value,
                      engine::ParamValue default_value, const std::string& unit = "",
                      const std::string& disabled_reason = "") {
    param_row(info.name, info, type, value, default_value, unit, disabled_reason);
  };
  row({.name = "softening", .help = "length below which gravity is weakened", .minimum = 0},
      ParamType::real, 0.02, 0.05, "kpc");
  row({.name = "dt", .help = "length of a step", .minimum = 0, .minimum_excluded = true},
      ParamType::real, 0.005, engine::ParamValue(), "Gyr");
  row({.name = "max_dt", .help = "longest step", .minimum = 0, .minimum_excluded = true},
      ParamType::real, engine::ParamValue(), engine::ParamValue(), "Gyr");
  row({.name = "n", .help = "stars in all", .minimum = 2, .maximum = 1e6}, ParamType::integer,
      std::int64_t{65536}, std::int64_t{8192});
  row({.name = "inclination", .help = "of the disc", .minimum = -90, .maximum = 90},
      ParamType::real, 30.0, 0.0, "deg");
  row({.name = "opening_angle_of_the_tree", .help = "long", .minimum = 0, .maximum = 2},
      ParamType::real, 0.5, 0.5);
  row({.name = "integrator", .help = "", .choices = {"leapfrog", "yoshida4"}}, ParamType::choice,
      std::string("leapfrog"), std::string("leapfrog"));
  row({.name = "trails", .help = "lines behind bodies"}, ParamType::boolean, true, false);
  row({.name = "title", .help = "of the scene"}, ParamType::text, std::string("Two clusters"),
      std::string());
  row({.name = "velocity", .help = "of the second cluster"}, ParamType::vector,
      engine::Vec3d{-0.3, 0, 12.5}, engine::Vec3d{}, "km/s");
  row({.name = "precision", .help = "of the forces", .choices = {"single", "double"}},
      ParamType::choice, std::string("single"), std::string("double"), "",
      "cannot change while a simulation runs");
  row({.name = "seed", .help = "of the random numbers", .minimum = 0, .maximum = 4294967295.0},
      ParamType::integer, std::int64_t{1}, std::int64_t{1}, "",
      "cannot change while a simulation runs");
}

inline void gallery_timeline(const GalleryData& data) {
  timeline({.first = 0,
            .last = 10000,
            .now = 6400,
            .target = 8200,
            .saved = data.saved,
            .edits = data.edits,
            .first_label = "0",
            .last_label = "10 Gyr",
            .now_label = "6.4 Gyr, step 6,400",
            .dt = 0.001,
            .time_unit = "Gyr"});
}

inline void gallery_help(bool* open) {
  const HelpLine lines[] = {{"", "Time"},
                            {"Space", "pause or go on"},
                            {"Right or .", "one step"},
                            {"Left or ,", "one step back"},
                            {"R", "back to the start"},
                            {"", "View"},
                            {"F", "frame all"},
                            {"Tab", "hide the panels"},
                            {"Ctrl+Shift+S", "save a snapshot"}};
  help_window(lines, open);
}

/// Four panels side by side, 320 pixels wide times `scale`.
inline void gallery(const GalleryData& data, float scale, bool help) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = 320 * scale, gap = (display.x - 3 * width) / 4, bar = 68 * scale;
  // A scene with bright areas, behind everything.
  ImGui::GetBackgroundDrawList()->AddRectFilledMultiColor(
      {0, 0}, display, IM_COL32(2, 3, 6, 255), IM_COL32(5, 6, 10, 255),
      IM_COL32(255, 240, 210, 255), IM_COL32(60, 40, 30, 255));
  int column = 0;
  const auto panel = [&](const char* name) {
    const float left = gap + static_cast<float>(column++) * (width + gap);
    ImGui::SetNextWindowPos({left, 12 * scale});
    ImGui::SetNextWindowSize(
        {width, display.y - bar - 24 * scale - (column == 2 ? 200 * scale : 0)});
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse);
  };
  panel("Measurements");
  gallery_plots(data);
  ImGui::End();
  panel("Parameters");
  gallery_rows();
  ImGui::End();
  panel("Distributions");
  gallery_more_plots(data);
  ImGui::End();
  ImGui::SetNextWindowPos({gap, display.y - bar});
  ImGui::SetNextWindowSize({display.x - 2 * gap, bar - 8 * scale});
  ImGui::Begin("time", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
  gallery_timeline(data);
  ImGui::End();
  legend({"speed [km/s]", "inferno", 0, 340}, display.x - 2 * gap - width,
         display.y - bar - 8 * scale);
  scale_bar(0.031 / scale, *engine::unit_system_named("galactic"), gap + width + gap,
            display.y - bar - 140 * scale, display.x);
  if (help) gallery_help(&help);
}

}  // namespace mote::render::ui

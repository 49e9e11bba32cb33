// Colours by what takes more than a body's own numbers: in the window, they are those of a closed
// form.
#include <algorithm>
#include <cstdlib>

#include "tests/app/picture_files.h"
#include "tests/app/view_fixture.h"

namespace mote::test {
namespace {

class ViewColors : public View {
 protected:
  static constexpr int width = 480, height = 270;

  /// Spheres on a line before the camera, with a legend.
  void write_line(const std::string& bodies) const {
    write(
        here() / "scene.lua",
        "return { precision = 'double', gravity = { softening = 0.5 }, integrator = { dt = 0.01 }, "
        "bodies = { " +
            bodies +
            " }, view = { bodies = 'spheres', radius = 0.4, map = 'viridis', trails = 'off', "
            "camera = { distance = 14, target = { 0, 0, 0 }, azimuth = -90, elevation = 0 } } }");
  }

  /// The picture of the scene with these colours.
  PictureFile colored_by(const std::string& scalar) const {
    fs::remove(here() / "seen.png");
    expect_good(drive("settle\npanels off\ncolor " + scalar +
                      "\nsettle\nframes 2\nscreenshot seen.png\nframes 1\n"));
    return read_picture(here() / "seen.png");
  }

  /// Rows in which pictures differ by more than rounding: 2 levels in a channel.
  struct Rows {
    int first = height, last = -1;
    bool none() const { return last < first; }
  };
  static Rows rows_that_differ(const PictureFile& a, const PictureFile& b) {
    Rows rows;
    for (int i = 0; i < 3 * width * height; ++i)
      if (std::abs(a.bytes.get()[i] - b.bytes.get()[i]) > 2) {
        rows.first = std::min(rows.first, i / (3 * width));
        rows.last = std::max(rows.last, i / (3 * width));
      }
    return rows;
  }

  /// The picture by a scalar is that by its closed form: spheres, and the range at the legend. Only
  /// the names at the legends differ, in one line of text, which is 15 pixels high.
  void expect_colors(const std::string& scalar, const std::string& closed_form) const {
    const PictureFile seen = colored_by(scalar);
    const Rows name = rows_that_differ(seen, colored_by(closed_form));
    EXPECT_FALSE(name.none());
    EXPECT_LT(name.last - name.first, 20);
    EXPECT_GT(name.first, height / 2 + 30) << "below the spheres, which are in the middle";
    // Twice the values have the same colours, and other numbers at the legend, below its name.
    const Rows range = rows_that_differ(seen, colored_by("2 * (" + closed_form + ")"));
    EXPECT_GE(range.first, name.first - 2);
    EXPECT_GT(range.last, name.last + 10);
    // Other values have other colours.
    const Rows spheres = rows_that_differ(seen, colored_by("x"));
    EXPECT_LT(spheres.first, height / 2);
  }
};

// Of bodies without mass about one of mass 1; its own potential is that of the others, 0.
TEST_F(ViewColors, ByPotentialAreThoseOfAPointMass) {
  std::string bodies = "{ mass = 1, position = { 0, 0, 0 } }";
  for (const char* x : {"-4", "-3", "-2", "-1", "1", "2", "3", "4"})
    bodies += ", { mass = 0, position = { " + std::string(x) + ", 0, 0 } }";
  write_line(bodies);
  expect_colors("potential", "(r > 0.5) * -1 / sqrt(r^2 + 0.5^2)");
}

// Each of nine bodies in a row has eight others: the mass of seven is in the ball that reaches to
// the farthest, at one of the ends.
TEST_F(ViewColors, ByDensityAreThoseOfTheBallThatReachesToTheLastNeighbour) {
  std::string bodies;
  for (int x = -4; x <= 4; ++x)
    bodies += "{ mass = 3, position = { " + std::to_string(x) + ", 0, 0 } }, ";
  write_line(bodies);
  expect_colors("density", "3 * 7 / (4 / 3 * pi * (4 + abs(x))^3)");
}

}  // namespace
}  // namespace mote::test

#include "engine/quantity.h"
#include "engine/check.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "engine/decimal_comma.h"
#include "engine/text.h"

namespace mote::engine {
namespace {

constexpr std::size_t longest_text = 200;

struct Kind {
  std::string_view name, article;
  Dimension dimension;
};

constexpr std::array kinds{
    Kind{"length", "a", {1, 0, 0, 0}},
    Kind{"mass", "a", {0, 1, 0, 0}},
    Kind{"time", "a", {0, 0, 1, 0}},
    Kind{"velocity", "a", {1, 0, -1, 0}},
    Kind{"acceleration", "an", {1, 0, -2, 0}},
    Kind{"angle", "an", {0, 0, 0, 1}},
    Kind{"angular velocity", "an", {0, 0, -1, 1}},
    Kind{"rate", "a", {0, 0, -1, 0}},
    Kind{"inverse length", "an", {-1, 0, 0, 0}},
    Kind{"gravitational constant", "a", {3, -1, -2, 0}},
    Kind{"density", "a", {-3, 1, 0, 0}},
    Kind{"surface density", "a", {-2, 1, 0, 0}},
    Kind{"energy", "an", {2, 1, -2, 0}},
    Kind{"force", "a", {1, 1, -2, 0}},
    Kind{"pressure", "a", {-1, 1, -2, 0}},
    Kind{"kinematic viscosity", "a", {2, 0, -1, 0}},
    Kind{"stiffness", "a", {0, 1, -2, 0}},
    Kind{"surface energy", "a", {0, 1, -2, 0}},
    Kind{"damping", "a", {0, 1, -1, 0}},
    Kind{"compliance", "a", {0, -1, 2, 0}},
    Kind{"compressibility", "a", {1, -1, 2, 0}},
    Kind{"inverse energy", "an", {-2, -1, 2, 0}},
};

const Kind* kind_named(std::string_view name) {
  for (const Kind& k : kinds)
    if (k.name == name) return &k;
  return nullptr;
}

std::string with_article(Dimension dimension) {
  if (dimension == Dimension{}) return "a pure number";
  for (const Kind& k : kinds)
    if (k.dimension == dimension) return std::string(k.article) + " " + std::string(k.name);
  return "another quantity";
}

/// A product of units.
struct Product {
  double si = 1;
  Dimension dimension;

  void multiply(const Product& by, int power) {
    si *= std::pow(by.si, power);
    dimension.length += power * by.dimension.length;
    dimension.mass += power * by.dimension.mass;
    dimension.time += power * by.dimension.time;
    dimension.angle += power * by.dimension.angle;
  }
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Parses products of units by recursive descent; the text is short, which bounds the depth.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : rest_(text) {}

  Product parse() {
    const Product p = product();
    if (problem_.empty() && !rest_.empty())
      fail("'" + std::string(rest_.substr(0, 1)) + "' is not expected");
    return p;
  }
  const std::string& problem() const { return problem_; }
  const std::string& remedy() const { return remedy_; }

 private:
  void fail(std::string problem,
            std::string remedy = "units look like km/s, Msun/pc^3 or kpc/(km/s)") {
    if (problem_.empty()) problem_ = std::move(problem), remedy_ = std::move(remedy);
    rest_ = {};
  }
  void skip_space() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    skip_space();
    return true;
  }

  Product product() {
    Product all;
    // 0.1 1/Myr, as well as 0.1 /Myr.
    skip_space();
    if (rest_.starts_with("1/") || rest_.starts_with("1 /")) rest_.remove_prefix(1);
    int sign = accept('/') ? -1 : 1;
    for (;;) {
      const Product factor = atom();
      all.multiply(factor, sign * power());
      skip_space();
      if (accept('/'))
        sign = -1;
      else if (accept('*') || rest_.starts_with('(') || (!rest_.empty() && is_letter(rest_[0])))
        sign = 1;
      else
        return all;
    }
  }

  Product atom() {
    skip_space();
    if (accept('(')) {
      const Product inner = product();
      if (!accept(')')) fail("a bracket is not closed");
      return inner;
    }
    std::size_t length = 0;
    while (length < rest_.size() && is_letter(rest_[length])) ++length;
    const std::string name(rest_.substr(0, length));
    if (name.empty()) {
      fail("a unit is missing");
      return {};
    }
    rest_.remove_prefix(length);
    std::vector<std::string> known;
    for (const NamedUnit& u : named_units()) {
      if (u.name == name) return {u.si, u.dimension};
      known.push_back(u.name);
    }
    fail("unknown unit '" + name + "'", did_you_mean(name, known, "known: "));
    return {};
  }

  int power() {
    if (!accept('^')) return 1;
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || std::abs(value) > 9) {
      fail("a power is a whole number from -9 to 9");
      return 1;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string_view rest_;
  std::string problem_, remedy_;
};

/// Parses the number at the start of `text` and removes it.
std::optional<double> parse_number(std::string_view& text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Rounds a conversion factor to 12 digits if that changes it by no more than its round-off: km/s
/// in units of km/s is exactly 1.
double remove_round_off(double factor) {
  std::array<char, 40> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), factor,
                                          std::chars_format::scientific, 11);
  double rounded = factor;
  if (error == std::errc()) std::from_chars(text.data(), end, rounded);
  constexpr double roundings = 8 * std::numeric_limits<double>::epsilon();
  return std::abs(rounded - factor) <= roundings * std::abs(factor) ? rounded : factor;
}

/// SI value of the unit that plain numbers of a dimension have: angles are in degrees, angular
/// velocities in radians per unit of time.
double si_of(Dimension d, const UnitSystem& units) {
  Product p;
  p.multiply({units.length_si, {}}, d.length);
  p.multiply({units.mass_si, {}}, d.mass);
  p.multiply({units.time_si, {}}, d.time);
  if (d.time == 0) p.multiply({std::numbers::pi / 180, {}}, d.angle);
  return p.si;
}

std::vector<NamedUnit> make_units() {
  using namespace constant;
  constexpr Dimension length{1, 0, 0, 0}, mass{0, 1, 0, 0}, time{0, 0, 1, 0}, angle{0, 0, 0, 1};
  constexpr double degree = std::numbers::pi / 180;
  constexpr double light_year = 299792458.0 * julian_year;  // exact, IAU
  // Nominal values of IAU 2015 resolution B3: solar radius; mass parameters of Earth and Jupiter.
  constexpr double solar_radius = 6.957e8;
  constexpr double earth_mass = 3.986004e14 / gravitational,
                   jupiter_mass = 1.2668653e17 / gravitational;
  return {{"m", 1, length},
          {"cm", 1e-2, length},
          {"mm", 1e-3, length},
          {"um", 1e-6, length},
          {"nm", 1e-9, length},
          {"angstrom", 1e-10, length},
          {"km", 1e3, length},
          {"Rsun", solar_radius, length},
          {"au", astronomical_unit, length},
          {"AU", astronomical_unit, length},
          {"ly", light_year, length},
          {"pc", parsec, length},
          {"kpc", 1e3 * parsec, length},
          {"Mpc", 1e6 * parsec, length},
          {"kg", 1, mass},
          {"g", 1e-3, mass},
          {"u", dalton, mass},
          {"Mearth", earth_mass, mass},
          {"Mjup", jupiter_mass, mass},
          {"Msun", solar_mass, mass},
          {"s", 1, time},
          {"ms", 1e-3, time},
          {"us", 1e-6, time},
          {"ns", 1e-9, time},
          {"ps", 1e-12, time},
          {"fs", 1e-15, time},
          {"min", 60, time},
          {"h", 3600, time},
          {"hour", 3600, time},
          {"hours", 3600, time},
          {"d", day, time},
          {"day", day, time},
          {"days", day, time},
          {"yr", julian_year, time},
          {"year", julian_year, time},
          {"years", julian_year, time},
          {"kyr", 1e3 * julian_year, time},
          {"Myr", 1e6 * julian_year, time},
          {"Gyr", 1e9 * julian_year, time},
          {"deg", degree, angle},
          {"degrees", degree, angle},
          {"rad", 1, angle},
          {"arcmin", degree / 60, angle},
          {"arcsec", degree / 3600, angle},
          {"turn", 360 * degree, angle},
          {"turns", 360 * degree, angle},
          {"N", 1, {1, 1, -2, 0}},
          {"J", 1, {2, 1, -2, 0}},
          {"erg", 1e-7, {2, 1, -2, 0}},
          {"eV", 1.602176634e-19, {2, 1, -2, 0}},
          {"kJ", 1e3, {2, 1, -2, 0}},
          {"kcal", 4184, {2, 1, -2, 0}},
          {"mol", avogadro, {0, 0, 0, 0}},
          {"K", boltzmann, {2, 1, -2, 0}},  // temperatures are energies, k T
          {"Pa", 1, {-1, 1, -2, 0}},
          {"bar", 1e5, {-1, 1, -2, 0}}};
}

/// "si", "solar", "galactic" or "molecular"
std::string physical_systems() {
  std::vector<std::string> names;
  for (const UnitSystem& u : unit_systems())
    if (u.length_si > 0) names.push_back('"' + u.name + '"');
  const std::string last = names.back();
  names.pop_back();
  return joined(names, ", ") + " or " + last;
}

}  // namespace

const std::vector<NamedUnit>& named_units() {
  static const std::vector<NamedUnit> units = make_units();
  return units;
}

bool looks_like_quantity(std::string_view text) {
  return text.size() <= longest_text && parse_number(text).has_value();
}

double leading_number(std::string_view text) {
  MOTE_EXPECT(looks_like_quantity(text));
  return *parse_number(text);
}

bool has_unit(std::string_view text) {
  return text.size() <= longest_text && parse_number(text) &&
         text.find_first_not_of(' ') != text.npos;
}

Converted convert(std::string_view text, std::string_view kind, const UnitSystem& units) {
  const std::string given = quoted(text.substr(0, longest_text));
  if (std::string remedy = comma_remedy(text); !remedy.empty())
    return {{}, given + " has a comma", std::move(remedy)};
  const Kind* const needed = kind_named(kind);
  if (needed == nullptr && !kind.empty()) {
    std::vector<std::string> known;
    for (const Kind& k : kinds) known.emplace_back(k.name);
    return {{},
            quoted(kind.substr(0, longest_text)) + " is not a kind of quantity",
            did_you_mean(kind, known, "kinds are: ")};
  }
  if (needed == nullptr)
    return {{}, given + " has a unit, but a pure number is needed", "give a plain number"};
  std::string_view rest = text;
  const auto number = text.size() <= longest_text ? parse_number(rest) : std::nullopt;
  if (!number) return {{}, given + " does not begin with a number", "as in \"220 km/s\""};
  if (rest.find_first_not_of(' ') == rest.npos)
    return {{}, given + " has no unit", "a number without quotes is in the units of the scene"};
  UnitParser parser(rest);
  const Product unit = parser.parse();
  if (!parser.problem().empty()) return {{}, given + ": " + parser.problem(), parser.remedy()};
  Dimension needed_here = needed->dimension;
  // Radians are dimensionless, so 25 km/s/kpc is an angular velocity.
  const bool radians = unit.dimension.angle == 0 && needed_here == Dimension{0, 0, -1, 1} &&
                       unit.dimension == Dimension{0, 0, -1, 0};
  if (unit.dimension != needed_here && !radians)
    return {{},
            given + " is " + with_article(unit.dimension) + ", but " + with_article(needed_here) +
                " is needed",
            ""};
  const bool physical = needed_here.length != 0 || needed_here.mass != 0 || needed_here.time != 0;
  if (physical && units.length_si == 0)
    return {{},
            given + " has a unit, but the unit system '" + units.name + "' has no physical units",
            "give a plain number, or choose units = " + physical_systems()};
  return {*number * remove_round_off(unit.si / si_of(needed_here, units))};
}

Converted convert_typed(std::string_view text, std::string_view kind, const UnitSystem& units) {
  std::string_view rest = text;
  const auto number = text.size() <= longest_text ? parse_number(rest) : std::nullopt;
  if (!number) return {{}, quoted(text.substr(0, longest_text)) + " is not a number"};
  if (rest.find_first_not_of(' ') == rest.npos && std::isfinite(*number)) return {*number};
  return convert(text, kind, units);
}

}  // namespace mote::engine

#include "engine/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace mote::engine {
namespace {

/// Edit distance with transpositions of adjacent letters (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Names in other programs and languages, too different from ours to be misspellings.
struct Synonym {
  std::string_view word, ours;
};
constexpr Synonym synonyms[] = {
    {"count", "n"},
    {"number", "n"},
    {"num", "n"},
    {"nbodies", "n"},
    {"particles", "n"},
    {"stars", "n"},
    {"bodys", "bodies"},
    {"particles", "bodies"},
    {"stars", "bodies"},
    {"eps", "softening"},
    {"epsilon", "softening"},
    {"soft", "softening"},
    {"k", "stiffness"},
    {"spring_constant", "stiffness"},
    {"g", "constant"},
    {"timestep", "dt"},
    {"time_step", "dt"},
    {"step", "dt"},
    {"pos", "position"},
    {"vel", "velocity"},
    {"r", "radius"},
    {"width", "radius"},
    {"diameter", "radius"},
    {"a", "scale"},
    {"a", "semi_major_axis"},
    {"e", "eccentricity"},
    {"i", "inclination"},
    {"m", "mass"},
    {"until", "time"},
    {"t_end", "time"},
    {"tmax", "time"},
    {"center", "centre"},
    {"colour", "color"},
    {"sphere", "uniform_sphere"},
    {"box", "cube"},
    {"disc", "disk"},
    {"planet", "orbit"},
    {"move", "translate"},
    {"shift", "translate"},
    {"turn", "rotate"},
    {"clone", "copy"},
    {"omega", "angular_velocity"},
    {"spin", "angular_velocity"},
    {"theme", "background"},
    {"print", "log"},
    {"screenshot", "picture"},
    {"image", "picture"},
    {"video", "movie"},
    {"parsec", "pc"},
    {"parsecs", "pc"},
    {"kiloparsec", "kpc"},
    {"megaparsec", "Mpc"},
    {"lightyear", "ly"},
    {"light_year", "ly"},
    {"lightyears", "ly"},
    {"lyr", "ly"},
    {"meter", "m"},
    {"metre", "m"},
    {"meters", "m"},
    {"metres", "m"},
    {"kilometer", "km"},
    {"kilometre", "km"},
    {"kilometers", "km"},
    {"kilometres", "km"},
    {"gram", "g"},
    {"kilogram", "kg"},
    {"solar_mass", "Msun"},
    {"msol", "Msun"},
    {"m_sun", "Msun"},
    {"solarmass", "Msun"},
    {"rsol", "Rsun"},
    {"earth_mass", "Mearth"},
    {"sec", "s"},
    {"second", "s"},
    {"seconds", "s"},
    {"minute", "min"},
    {"minutes", "min"},
    {"degree", "deg"},
    {"radian", "rad"},
    {"radians", "rad"},
};

/// The candidate that differs in case only, else a synonym.
std::string same_meaning(std::string_view word, const std::vector<std::string>& candidates) {
  const auto find = [&](const std::string& wanted) {
    for (const std::string& candidate : candidates)
      if (lower(candidate) == wanted) return candidate;
    return std::string();
  };
  if (word.empty() || word.size() > 64) return "";
  const std::string small = lower(word);
  if (std::find(candidates.begin(), candidates.end(), word) != candidates.end())
    return std::string(word);
  if (std::string same = find(small); !same.empty()) return same;
  for (const Synonym& synonym : synonyms)
    if (synonym.word == small)
      if (std::string ours = find(lower(synonym.ours)); !ours.empty()) return ours;
  return "";
}

/// The shortest candidate that begins with the word, "random" for "rand"; "" for short words.
std::string abbreviated(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t shortest = 4;
  std::string best;
  if (word.size() < shortest) return best;
  for (const std::string& candidate : candidates)
    if (lower(candidate).starts_with(lower(word)) &&
        (best.empty() || candidate.size() < best.size()))
      best = candidate;
  return best;
}

}  // namespace

std::string number_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

namespace {

/// The code point at the start of a text, and its bytes; 0 bytes if it is not valid UTF-8 (RFC
/// 3629).
struct CodePoint {
  char32_t value;
  std::size_t bytes;
};
CodePoint code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first < 0xc2   ? 0
                            : first < 0xe0 ? 2
                            : first < 0xf0 ? 3
                            : first < 0xf5 ? 4
                                           : 0;
  if (bytes == 0 || text.size() < bytes) return {first, 0};
  char32_t value = first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {first, 0};
    value = value << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (value < least[bytes] || value > 0x10ffff || surrogate) return {first, 0};
  return {value, bytes};
}

/// C0 and C1 controls, and Bidi_Control of the Unicode Character Database.
bool is_control(char32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || c == 0x61c ||
         c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = code_point(text);
    if (c.bytes == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c.value));
    else if (is_control(c.value))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c.value));
    else
      out += text.substr(0, c.bytes);
    text.remove_prefix(std::max<std::size_t>(c.bytes, 1));
  }
  return out;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
  if (const std::string same = same_meaning(word, candidates); !same.empty()) return same;
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, std::min<std::size_t>(3, word.size() / 3)) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > 64 || word.size() > 64) continue;
    // With as many edits as letters, the words have nothing in common.
    const std::size_t n = edit_distance(word, candidate);
    if (n < fewest && n < std::max(word.size(), candidate.size())) {
      fewest = n;
      best = candidate;
    }
  }
  // "rand" is nearer to "rad", but means "random".
  const std::string longer = best.empty() ? "" : abbreviated(word, candidates);
  return longer.empty() ? best : longer;
}

bool is_synonym(std::string_view word, std::string_view ours) {
  return std::any_of(std::begin(synonyms), std::end(synonyms), [&](const Synonym& synonym) {
    return synonym.word == lower(word) && synonym.ours == ours;
  });
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         std::string_view otherwise) {
  std::string meant = closest(word, candidates);
  if (meant.empty()) meant = abbreviated(word, candidates);
  return meant.empty() ? std::string(otherwise) + joined(candidates, ", ")
                       : "did you mean '" + meant + "'?";
}

std::string with_thousands(long long count) {
  std::string text = std::to_string(count);
  const int first = count < 0 ? 1 : 0;
  for (int i = static_cast<int>(text.size()) - 3; i > first; i -= 3)
    text.insert(static_cast<std::size_t>(i), ",");
  return text;
}

std::string counted(long long count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  const bool body = noun.ends_with("y");
  return fmt::format("{} {}{}", with_thousands(count), noun.substr(0, noun.size() - (body ? 1 : 0)),
                     body ? "ies" : "s");
}

std::string bytes_text(double bytes) {
  if (bytes < 1023.5) return fmt::format("{:.0f} B", bytes);
  const char* const names[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  int scale = 0;
  // One decimal is shown from here on; what would round up to 1024.0 gets the next unit.
  for (bytes /= 1024; bytes >= 1023.95 && scale < 4; ++scale) bytes /= 1024;
  return fmt::format("{:.1f} {}", bytes, names[scale]);
}

std::string short_time_text(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.2f} us", 1e6 * seconds)
         : seconds < 1  ? fmt::format("{:.3f} ms", 1e3 * seconds)
                        : fmt::format("{:.3f} s", seconds);
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string duration_text(double seconds) {
  // Changes unit where rounding would give 60.
  if (seconds < 59.95 || !std::isfinite(seconds)) return fmt::format("{:.1f} s", seconds);
  if (seconds < 3599.5) {
    const double whole = std::floor(seconds + 0.5);
    return fmt::format("{:.0f} min {:.0f} s", std::floor(whole / 60), std::fmod(whole, 60));
  }
  const double minutes = std::floor(seconds / 60 + 0.5);
  return fmt::format("{:.0f} h {:.0f} min", std::floor(minutes / 60), std::fmod(minutes, 60));
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    const int more = lead < 0x80                   ? 0
                     : lead >= 0xC2 && lead < 0xE0 ? 1
                     : (lead & 0xF0) == 0xE0       ? 2
                     : lead >= 0xF0 && lead < 0xF5 ? 3
                                                   : -1;
    if (more < 0) return false;
    for (int k = 0; k < more; ++k, ++i) {
      if (i >= text.size()) return false;
      const auto next = static_cast<unsigned char>(text[i]);
      const bool first = k == 0;
      const unsigned low = first && lead == 0xE0 ? 0xA0 : first && lead == 0xF0 ? 0x90 : 0x80;
      const unsigned high = first && lead == 0xED ? 0x9F : first && lead == 0xF4 ? 0x8F : 0xBF;
      if (next < low || next > high) return false;
    }
  }
  return true;
}

}  // namespace mote::engine

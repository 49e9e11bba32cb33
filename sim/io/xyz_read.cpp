#include "sim/io/xyz_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/check.h"
#include "engine/files.h"
#include "engine/log.h"
#include "engine/number_in_text.h"
#include "engine/text.h"
#include "sim/io/csv_line.h"
#include "sim/io/file_keys.h"
#include "sim/io/order_by_ids.h"

namespace mote::sim {
namespace {

using engine::Vec3d;

constexpr std::size_t max_shown = 20;
constexpr std::size_t max_line_length = 65536;

/// Meaning of a column or of three columns.
enum class XyzColumn { other, name, position, velocity, momentum, mass, id, image, movable };

struct XyzColumns {
  XyzColumn meaning;
  std::size_t count;
};

/// The column that a used key of xyz_column_keys() is.
XyzColumn column_of(std::string_view name) {
  struct Start {
    std::string_view start;
    XyzColumn column;
  };
  constexpr Start starts[] = {{"pos", XyzColumn::position},
                              {"vel", XyzColumn::velocity},
                              {"momen", XyzColumn::momentum},
                              {"mass", XyzColumn::mass},
                              {"id", XyzColumn::id},
                              {"image", XyzColumn::image},
                              {"move_mask", XyzColumn::movable}};
  for (const Start& s : starts)
    if (name.starts_with(s.start)) return s.column;
  return XyzColumn::name;
}

/// Cells that programs have computed, or stored in single precision, are off their axes by this
/// much of their longest side.
constexpr double cell_rounding = 1e-6;

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < line.size();) {
    while (i < line.size() && blank(line[i])) ++i;
    const std::size_t from = i;
    while (i < line.size() && !blank(line[i])) ++i;
    if (i > from) words.push_back(line.substr(from, i - from));
  }
  return words;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The comment line: key=value pairs, with quotes around values that contain spaces, and other
/// words.
struct XyzComment {
  std::map<std::string, std::string> values;  ///< values by key in lower case
  std::vector<std::string> words;
};

XyzComment read_comment(std::string_view line) {
  XyzComment comment;
  for (std::size_t i = 0; i < line.size();) {
    if (blank(line[i])) {
      ++i;
      continue;
    }
    std::string key;
    for (; i < line.size() && !blank(line[i]) && line[i] != '='; ++i) key += line[i];
    if (i >= line.size() || line[i] != '=') {
      comment.words.push_back(std::move(key));
      continue;
    }
    std::string value;
    const char open = ++i < line.size() ? line[i] : '\0', quote = open == '"' || open == '\'' ? open
                                                                  : open == '['               ? ']'
                                                                  : open == '{'               ? '}'
                                                                                : '\0';
    if (quote) ++i;
    for (; i < line.size() && (quote ? line[i] != quote : !blank(line[i])); ++i) {
      if (quote && line[i] == '\\' && i + 1 < line.size()) ++i;
      value += line[i];
    }
    if (quote && i < line.size()) ++i;
    for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    comment.values.emplace(std::move(key), std::move(value));
  }
  return comment;
}

/// Reads a file line by line and continues after lines with errors.
class XyzReader {
 public:
  XyzReader(std::string file, std::string text)
      : file_(std::move(file)), text_(std::move(text)), rest_(text_) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
    read_head();
  }

  Bodies bodies(const XyzRequest& request) {
    request_ = &request;
    if (request.units != nullptr && !units_.empty() && units_ != request.units->name) {
      location_ = file_ + ":2";
      fail("units",
           fmt::format("are {}, but those of the scene are {}", engine::quoted(units_),
                       request.units->name),
           "choose the units of the file in the scene, or convert the file and remove the key");
    }
    for (std::size_t k = 0; k < request.species.size(); ++k)
      species_number_.emplace(xyz_word(request.species[k]), static_cast<std::uint8_t>(k + 1));
    for (std::uint64_t k = 0; k < count_; ++k) {
      std::string_view line;
      if (!next(line)) {
        location_ = file_;
        problem("", fmt::format("ends after {} of {} announced bodies", k, count_), "");
        break;
      }
      row(line);
    }
    for (std::string_view line; next(line);)
      if (!words_of(line).empty()) {
        problem("", fmt::format("the file continues after its {} bodies", count_),
                "if it has several frames, keep only one");
        break;
      }
    finish();
    location_ = file_;
    if (!ids_.empty())
      if (const auto twice = order_by_ids(bodies_, ids_))
        fail("id", fmt::format("two bodies have the id {}", *twice),
             "number them, or remove the column");
    if (assumed_mass_)
      engine::log().warn(
          "{}: has momenta, but no masses: velocities are momenta over the mass of all its bodies, "
          "{}",
          file_, engine::number_text(request.mass));
    if (!unread_.empty())
      engine::log().warn("{}: not read: {}", file_, engine::joined(unread_, ", "));
    return std::move(bodies_);
  }

  XyzBox box() {
    location_ = file_ + (nist_ ? ":1" : ":2");
    if (!size_)
      problem("", "defines no box",
              "extended XYZ has Lattice=\"lx 0 0 0 ly 0 0 0 lz\"; plain XYZ may have three lengths "
              "as its comment");
    else if (skewed_)
      problem("Lattice", "is not orthorhombic", "the sides of a box must be along the axes");
    else if (!is_length(size_->x, periodic_[0]) || !is_length(size_->y, periodic_[1]) ||
             !is_length(size_->z, periodic_[2]))
      problem("", "a length of the box is not greater than 0", "");
    finish();
    const Vec3d center = lattice_ ? low_.value_or(Vec3d{0, 0, 0}) + 0.5 * *size_
                         : low_   ? *low_ + 0.5 * *size_
                                  : Vec3d{0, 0, 0};
    return {*size_, center, {periodic_[0], periodic_[1], periodic_[2]}};
  }

 private:
  /// Slabs may have no length along an axis that is not periodic.
  static bool is_length(double length, bool periodic) {
    return length > 0 || (length == 0 && !periodic);
  }

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    location_ = fmt::format("{}:{}", file_, ++line_);
    if (line.size() > max_line_length)
      throw engine::InputError(location_, "is longer than 65,536 characters");
    return true;
  }

  void problem(const std::string& key, const std::string& what, const std::string& remedy) {
    if (++problem_count_ <= max_shown) problems_.push_back({location_, key, what, remedy});
  }

  void finish() {
    if (problems_.empty()) return;
    if (const std::size_t more = problem_count_ - problems_.size(); more > 0)
      problems_.push_back({file_, "", fmt::format("and {} more", more), ""});
    throw engine::InputError(std::exchange(problems_, {}));
  }

  /// Ends reading: nothing after an invalid head can be interpreted.
  [[noreturn]] void fail(const std::string& key, const std::string& what,
                         const std::string& remedy = "") {
    throw engine::InputError({{location_, key, what, remedy}});
  }

  std::vector<double> numbers(const std::string& key, const std::vector<std::string_view>& words) {
    std::vector<double> values;
    for (const std::string_view word : words) {
      const auto [wrong, value] = engine::number_in(word);
      if (!wrong.empty()) fail(key, wrong);
      values.push_back(value);
    }
    return values;
  }

  void read_head() {
    std::string_view line;
    if (!next(line)) {
      location_ = file_;
      fail("", "is empty");
    }
    const auto words = words_of(line);
    nist_ = words.size() == 3;
    if (nist_) {
      const auto lengths = numbers("", words);
      size_ = {lengths[0], lengths[1], lengths[2]};
      if (!next(line)) fail("", "ends before the number of its bodies");
    }
    const auto count = whole_number(line);
    if (!count)
      fail("",
           "expected the number of bodies, got " + engine::quoted(std::string(line.substr(0, 40))),
           "the first line of XYZ is the number of bodies; NIST's files begin with three box "
           "lengths, "
           "then the number");
    count_ = *count;
    if (nist_)
      columns_ = {{XyzColumn::other, 1}, {XyzColumn::position, 3}};
    else if (next(line))
      read_properties(read_comment(line));
    else
      fail("", "ends before the comment, its second line");
  }

  void read_properties(const XyzComment& comment) {
    const auto find = [&](const char* key) {
      const auto found = comment.values.find(key);
      return found == comment.values.end() ? nullptr : &found->second;
    };
    if (const std::string* lattice = find("lattice")) read_lattice(*lattice);
    const bool three =
        comment.words.size() == 3 &&
        std::all_of(comment.words.begin(), comment.words.end(),
                    [](const std::string& word) { return engine::number_in(word).first.empty(); });
    if (!lattice_ && three) {
      const auto value = [&](std::size_t k) { return engine::number_in(comment.words[k]).second; };
      size_ = {value(0), value(1), value(2)};
    }
    if (const std::string* origin = find("origin"); origin && size_) {
      const auto at = numbers("Origin", words_of(*origin));
      if (at.size() != 3) fail("Origin", "has " + std::to_string(at.size()) + " numbers, not 3");
      low_ = {at[0], at[1], at[2]};
    }
    if (const std::string* pbc = find("pbc")) read_periodic(*pbc);
    if (const std::string* units = find("units")) units_ = *units;
    for (const auto& [key, value] : comment.values)
      if (key_named(xyz_comment_keys(), key) == nullptr && key.size() > 5)
        if (const std::string meant = engine::closest(key, {"lattice", "properties", "origin"});
            !meant.empty() && key.size() <= meant.size() + 1)
          fail(key, "is not a key of extended XYZ", "did you mean '" + meant + "'?");
    if (const std::string* properties = find("properties")) read_columns(*properties);
  }

  /// Three of T and F, or 1 and 0, in any of the ways that programs write lists.
  void read_periodic(const std::string& text) {
    std::string plain = text;
    for (char& c : plain)
      if (c == ',' || c == '[' || c == ']' || c == '{' || c == '}' || c == '"') c = ' ';
    const auto words = words_of(plain);
    bool good = words.size() == 3;
    for (std::size_t k = 0; k < words.size() && good; ++k) {
      const char first = static_cast<char>(std::tolower(static_cast<unsigned char>(words[k][0])));
      good = first == 't' || first == 'f' || words[k] == "1" || words[k] == "0";
      periodic_[k] = first == 't' || first == '1';
    }
    if (!good) fail("pbc", engine::quoted(text) + " is not of the form \"T T F\"");
  }

  void read_lattice(const std::string& text) {
    const auto v = numbers("Lattice", words_of(text));
    if (v.size() != 9) fail("Lattice", "has " + std::to_string(v.size()) + " numbers, not 9");
    const double longest = std::max({std::abs(v[0]), std::abs(v[4]), std::abs(v[8])});
    for (std::size_t k = 0; k < 9; ++k)
      if (k % 4 != 0 && !(std::abs(v[k]) <= cell_rounding * longest)) skewed_ = true;
    lattice_ = true;
    size_ = {v[0], v[4], v[8]};
  }

  void read_columns(const std::string& text) {
    std::vector<std::string> parts{""};
    for (const char c : text)
      if (c == ':')
        parts.emplace_back();
      else
        parts.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (parts.size() % 3 != 0)
      fail("Properties", "is not a sequence of name:type:number",
           "write it as in Properties=species:S:1:pos:R:3");
    for (std::size_t k = 0; k < parts.size(); k += 3) {
      const std::string &name = parts[k], &type = parts[k + 1];
      const auto count = whole_number(parts[k + 2]);
      if (!count || *count < 1 || *count > max_line_length)
        fail("Properties", engine::quoted(parts[k + 2]) + " is not a number of columns");
      const FileKey* const key = key_named(xyz_column_keys(), name);
      if (key != nullptr && key->use == KeyUse::refused)
        fail("Properties", fmt::format("the column {} is refused: {}", name, key->meaning),
             "rename it, or remove it");
      if (key == nullptr) unread(name);
      const XyzColumn meaning =
          key != nullptr && key->use == KeyUse::used ? column_of(name) : XyzColumn::other;
      const bool vector = meaning == XyzColumn::position || meaning == XyzColumn::velocity ||
                          meaning == XyzColumn::momentum || meaning == XyzColumn::image;
      const bool number = vector || meaning == XyzColumn::mass || meaning == XyzColumn::id;
      const bool any = meaning == XyzColumn::other || meaning == XyzColumn::movable;
      if (!any && *count != (vector ? 3u : 1u))
        fail("Properties",
             name + " has " + std::to_string(*count) + " columns, not " + (vector ? "3" : "1"));
      if (number && type != "r" && type != "i")
        fail("Properties", name + " is not of type R", "R: real numbers");
      const auto same = [&](const XyzColumns& c) { return c.meaning == meaning; };
      const bool again = !any && std::any_of(columns_.begin(), columns_.end(), same);
      // Of two columns with names, the first is the species.
      if (again && meaning != XyzColumn::name) fail("Properties", name + " appears twice");
      columns_.push_back({again ? XyzColumn::other : meaning, *count});
    }
    const auto has = [&](XyzColumn meaning) {
      return std::any_of(columns_.begin(), columns_.end(),
                         [&](const XyzColumns& c) { return c.meaning == meaning; });
    };
    has_mass_ = has(XyzColumn::mass);
    if (has(XyzColumn::velocity) && has(XyzColumn::momentum))
      fail("Properties", "has velocities and momenta", "remove one of them");
    if (std::none_of(columns_.begin(), columns_.end(),
                     [](const XyzColumns& c) { return c.meaning == XyzColumn::position; }))
      fail("Properties", "has no positions", "write it as in Properties=species:S:1:pos:R:3");
  }

  /// A column that is in no table: refused if it is a misspelt one that is read.
  void unread(const std::string& name) {
    std::vector<std::string> used;
    for (const FileKey& key : xyz_column_keys())
      if (key.use == KeyUse::used) used.emplace_back(key.name);
    // Shorter words resemble others by chance.
    constexpr std::size_t shortest = 6;
    if (const std::string meant = name.size() < shortest ? "" : engine::closest(name, used);
        !meant.empty())
      fail("Properties", "does not know the column " + engine::quoted(name),
           "did you mean '" + meant + "'? Else remove it");
    unread_.push_back("the column " + engine::quoted(name));
  }

  /// In plain XYZ, the number of fields of the first body tells whether there are velocities.
  void plain_columns(std::size_t fields) {
    columns_ = {{XyzColumn::name, 1}, {XyzColumn::position, 3}};
    if (fields > 4) columns_.push_back({XyzColumn::velocity, 3});
  }

  void row(std::string_view line) {
    const auto words = words_of(line);
    if (columns_.empty()) plain_columns(words.size());
    std::size_t wanted = 0;
    for (const XyzColumns& c : columns_) wanted += c.count;
    if (words.size() != wanted)
      return problem("", fmt::format("{} fields, not {}", words.size(), wanted), "");
    Vec3d position{0, 0, 0}, velocity{0, 0, 0}, momentum{0, 0, 0}, image{0, 0, 0};
    double mass = request_->mass;
    bool has_momentum = false;
    std::uint8_t species = 0;
    std::size_t at = 0;
    for (const XyzColumns& c : columns_) {
      if (c.meaning == XyzColumn::name)
        species = species_of(words[at]);
      else if (c.meaning == XyzColumn::position)
        position = vector(words, at);
      else if (c.meaning == XyzColumn::velocity)
        velocity = vector(words, at);
      else if (c.meaning == XyzColumn::momentum)
        momentum = vector(words, at), has_momentum = true;
      else if (c.meaning == XyzColumn::image)
        image = vector(words, at);
      else if (c.meaning == XyzColumn::id)
        id(words[at]);
      else if (c.meaning == XyzColumn::mass && (mass = number("mass", words[at])) < 0)
        problem("mass", std::string(words[at]) + " is negative", "a mass is 0 or more");
      else if (c.meaning == XyzColumn::movable)
        for (std::size_t k = at; k < at + c.count; ++k) check_movable(words[k]);
      at += c.count;
    }
    assumed_mass_ = assumed_mass_ || (has_momentum && !has_mass_);
    if (has_momentum && mass > 0) velocity = (1 / mass) * momentum;
    if (has_momentum && mass == 0 && !(momentum == Vec3d{0, 0, 0}))
      problem("momenta", "a body without mass has a momentum", "give it a mass, or a velocity");
    if (!(image == Vec3d{0, 0, 0})) {
      if (!size_ || skewed_) {
        problem("image", "the box of the images is not known",
                "the comment needs a Lattice along the axes; else write unwrapped positions");
      } else {
        position += Vec3d{image.x * size_->x, image.y * size_->y, image.z * size_->z};
      }
    }
    if (!problems_.empty()) return;  // reading fails anyway; only further problems are collected
    bodies_.mass.push_back(mass);
    bodies_.position.push_back(position);
    bodies_.velocity.push_back(velocity);
    if (species > 0) bodies_.species.resize(bodies_.mass.size() - 1);
    if (species > 0 || !bodies_.species.empty()) bodies_.species.push_back(species);
  }

  void id(std::string_view word) {
    const auto number = whole_number(word);
    if (!number) problem("id", engine::quoted(word) + " is not a number of a body", "");
    ids_.push_back(number.value_or(0));
  }

  void check_movable(std::string_view word) {
    if (word.starts_with('F') || word.starts_with('f') || word == "0")
      problem("move_mask", "the body is held in the file",
              "remove the column, and say which bodies are held in the scene (fixed = true)");
  }

  double number(const char* key, std::string_view word) {
    const auto [wrong, value] = engine::number_in(word);
    if (!wrong.empty()) problem(key, wrong, "");
    return value;
  }

  Vec3d vector(const std::vector<std::string_view>& words, std::size_t at) {
    return {number("", words[at]), number("", words[at + 1]), number("", words[at + 2])};
  }

  std::uint8_t species_of(std::string_view word) {
    if (species_number_.empty()) return 0;
    const auto found = species_number_.find(std::string(word));
    if (found != species_number_.end()) return found->second;
    if (word == "X") return 0;
    problem("", "the scene has no species " + engine::quoted(std::string(word)),
            engine::did_you_mean(std::string(word), request_->species, "it has: ") +
                " (or species = \"...\" for all bodies of the file)");
    return 0;
  }

  std::string file_, text_;
  std::string_view rest_;
  std::size_t line_ = 0;
  std::string location_;
  std::uint64_t count_ = 0;
  bool nist_ = false, lattice_ = false;
  bool skewed_ = false;  ///< the lattice is not along the axes: there is no box for a domain
  bool periodic_[3] = {true, true, true};
  std::string units_;  ///< units named in the comment
  std::vector<std::uint64_t> ids_;
  std::vector<std::string> unread_;
  bool has_mass_ = false, assumed_mass_ = false;
  std::optional<Vec3d> size_, low_;
  std::vector<XyzColumns> columns_;
  const XyzRequest* request_ = nullptr;
  std::map<std::string, std::uint8_t> species_number_;
  Bodies bodies_;
  std::vector<engine::Diagnostic> problems_;  ///< the first `max_shown`
  std::size_t problem_count_ = 0;             ///< number of all problems
};

XyzReader reader_of(const std::filesystem::path& path, const std::string& location) {
  if (!std::filesystem::exists(path))
    throw engine::InputError(
        location, location == path.string() ? "no such file" : "no such file: " + path.string(),
        "check the path");
  return {path.string(), engine::read_file(path)};
}

}  // namespace

Bodies read_bodies_xyz(const std::filesystem::path& path, const XyzRequest& request,
                       const std::string& location) {
  return reader_of(path, location).bodies(request);
}

XyzBox read_xyz_box(const std::filesystem::path& path, const std::string& location) {
  return reader_of(path, location).box();
}

std::string xyz_word(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  return name;
}

}  // namespace mote::sim

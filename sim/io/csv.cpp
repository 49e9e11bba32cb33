#include "sim/io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/files.h"
#include "engine/number_in_text.h"
#include "engine/text.h"
#include "sim/io/csv_columns.h"
#include "sim/io/csv_line.h"
#include "sim/io/order_by_ids.h"

namespace mote::sim {
namespace {

constexpr std::size_t max_shown = 20;
constexpr std::size_t max_line_length = 65536;

/// Reads a file line by line and continues after errors.
class CsvReader {
 public:
  CsvReader(std::string file, const engine::UnitSystem& units)
      : file_(std::move(file)), units_(units) {}

  void line(std::size_t number, std::string_view text) {
    location_ = fmt::format("{}:{}", file_, number);
    if (text.size() > max_line_length)
      throw engine::InputError(location_, "is longer than 65,536 characters");
    const bool complete = split_csv_line(text, fields_);
    if (!complete) problem("", "a quoted field has no closing quote", "");
    if (!columns_ && complete) expect_commas(text);
    if (!columns_ && complete && all_numbers()) {
      if (!take_header_from_comment()) {
        bad_header_ = true;
        columns_ = CsvColumns{};
        return problem("", "there is no header line: the first line holds numbers",
                       "the first line names the columns, as name,mass,x,y,z,vx,vy,vz");
      }
      split_csv_line(text, fields_);
    }
    if (!columns_) {
      columns_ = complete ? read_csv_columns(fields_, units_, location_, problems_) : CsvColumns{};
      bad_header_ = !complete;
      count_ = problems_.size();
    } else if (!bad_header_) {
      ++rows_;
      if (complete) row();
    }
  }

  /// A line that starts with '#', before the header.
  void comment(std::size_t number, std::string_view text) {
    if (columns_) return;
    while (text.starts_with('#')) text.remove_prefix(1);
    comment_line_ = number;
    comment_ = trimmed(text);
  }

  Bodies finish() {
    location_ = file_;
    if (!columns_)
      problem("", "there is no header line",
              "the first line names the columns, as name,mass,x,y,z,vx,vy,vz");
    else if (!bad_header_ && rows_ == 0)
      problem("", "there are no bodies below the header", "");
    if (problems_.empty() && columns_->id && !labels_)
      if (const auto twice = order_by_ids(bodies_, ids_))
        problem("id", fmt::format("two bodies have the id {}", *twice),
                "number them, or remove the column");
    if (problems_.empty()) return std::move(bodies_);
    if (const std::size_t more = count_ - problems_.size(); more > 0)
      problems_.push_back({file_, "", fmt::format("and {} more", more), ""});
    throw engine::InputError(problems_);
  }

 private:
  void expect_commas(std::string_view text) const {
    if (fields_.size() != 1) return;
    struct Separator {
      const char *characters, *name, *remedy;
    };
    for (const Separator& s :
         {Separator{";", "semicolons",
                    "save the file with commas between columns and points in numbers"},
          Separator{"\t", "tabs", "save the file with commas"},
          Separator{" ", "spaces", "save the file with commas, with numpy.savetxt: delimiter=','"}})
      if (text.find(s.characters) != text.npos)
        throw engine::InputError(
            location_, fmt::format("the columns are separated by {}, not by commas", s.name),
            s.remedy);
  }

  bool all_numbers() const {
    return std::all_of(fields_.begin(), fields_.end(), [](const std::string& field) {
      return engine::number_in(field).first.empty();
    });
  }

  /// numpy.savetxt writes the header as a comment.
  bool take_header_from_comment() {
    std::vector<std::string> names;
    if (!split_csv_line(comment_, names) || names.size() != fields_.size()) return false;
    const std::string place = fmt::format("{}:{}", file_, comment_line_);
    columns_ = read_csv_columns(names, units_, place, problems_);
    count_ = problems_.size();
    bad_header_ = count_ > 0;
    return true;
  }

  void problem(const std::string& key, const std::string& what, const std::string& remedy) {
    if (++count_ <= max_shown) problems_.push_back({location_, key, what, remedy});
  }

  void row() {
    if (fields_.size() != columns_->header.size())
      return problem(
          "",
          fmt::format("{} fields, but the header has {}", fields_.size(), columns_->header.size()),
          "");
    std::array<double, CsvColumns::numbers> v{};
    for (std::size_t c = 0; c < fields_.size(); ++c) {
      if (columns_->id == c) id(fields_[c]);
      if (!columns_->slot[c]) continue;
      const auto [wrong, value] = engine::number_in(fields_[c]);
      if (!wrong.empty())
        problem(columns_->header[c], wrong, "");
      else if (*columns_->slot[c] == 0 && value < 0)
        problem(columns_->header[c], fields_[c] + " is negative", "a mass is 0 or more");
      v[*columns_->slot[c]] = value;
    }
    if (!problems_.empty()) return;  // reading fails anyway; only further problems are collected
    bodies_.mass.push_back(v[0]);
    bodies_.position.push_back({v[1], v[2], v[3]});
    bodies_.velocity.push_back({v[4], v[5], v[6]});
    if (columns_->name) bodies_.names.push_back(fields_[*columns_->name]);
  }

  void id(const std::string& field) {
    constexpr double exact = 9007199254740992.0;  // all whole numbers up to it are doubles
    std::uint64_t whole = 0;
    const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), whole);
    if (error != std::errc() || stop != field.data() + field.size()) {
      // numpy.savetxt writes whole numbers as 1.000e+00.
      const auto [wrong, value] = engine::number_in(field);
      labels_ =
          labels_ || !wrong.empty() || value != std::floor(value) || value < 0 || value > exact;
      whole = labels_ ? 0 : static_cast<std::uint64_t>(value);
    }
    if (!labels_) ids_.push_back(whole);
  }

  std::string file_;
  const engine::UnitSystem& units_;
  std::string location_;
  std::size_t comment_line_ = 0;
  std::string comment_;  ///< the last one before the header
  std::vector<std::uint64_t> ids_;
  bool labels_ = false;  ///< ids are not whole numbers
  std::vector<std::string> fields_;
  std::optional<CsvColumns> columns_;
  bool bad_header_ = false;
  std::size_t rows_ = 0;
  Bodies bodies_;
  std::vector<engine::Diagnostic> problems_;  ///< the first `max_shown`
  std::size_t count_ = 0;                     ///< number of all problems
};

}  // namespace

Bodies read_bodies_csv(const std::filesystem::path& path, const engine::UnitSystem& units,
                       const std::string& location) {
  if (!std::filesystem::exists(path))
    throw engine::InputError(
        location, location == path.string() ? "no such file" : "no such file: " + path.string(),
        "check the path");
  const std::string text = engine::read_file(path);
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  CsvReader reader(path.string(), units);
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    if (line.starts_with('#'))
      reader.comment(number, line);
    else if (!line.empty())
      reader.line(number, line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return reader.finish();
}

}  // namespace mote::sim

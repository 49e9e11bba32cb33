#include "sim/io/series.h"

#include <cmath>
#include <utility>

#include "engine/check.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

constexpr std::chrono::milliseconds flush_interval{250};

}  // namespace

std::string series_field(const std::string& name) {
  if (name.find_first_of(",\"\n") == name.npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string series_number(double value, bool integer) {
  if (std::isnan(value)) return "nan";  // without the sign, which is meaningless
  if (!integer || std::isinf(value)) return engine::number_text(value);
  return std::to_string(static_cast<long long>(value));
}

SeriesFile::SeriesFile(const std::filesystem::path& path, std::vector<SeriesColumn> columns)
    : columns_(std::move(columns)), file_(path), flushed_(std::chrono::steady_clock::now()) {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    text += (i == 0 ? "" : ",") + series_field(columns_[i].name);
  file_.write(text + '\n');
  file_.flush();
}

SeriesFile::SeriesFile(const std::filesystem::path& path, std::vector<SeriesColumn> columns,
                       std::uint64_t bytes)
    : columns_(std::move(columns)),
      file_(path, bytes),
      flushed_(std::chrono::steady_clock::now()) {}

void SeriesFile::row(std::span<const double> values) {
  MOTE_EXPECT(values.size() == columns_.size());
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    text += series_number(values[i], columns_[i].integer);
  }
  text += '\n';
  file_.write(text);
  if (const auto now = std::chrono::steady_clock::now(); now - flushed_ >= flush_interval) {
    file_.flush();
    flushed_ = now;
  }
}

}  // namespace mote::sim

#include "sim/measure/histogram.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "engine/algo/reduce.h"
#include "engine/check.h"
#include "engine/exec/ranks.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

using engine::Diagnostic;
using engine::Index;

constexpr const char* syntax = "write SCALAR, SCALAR:BINS or SCALAR:BINS:LOW:HIGH";

struct Extremes {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  Extremes& operator+=(const Extremes& o) {
    smallest = std::min(smallest, o.smallest);
    largest = std::max(largest, o.largest);
    return *this;
  }
};

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> fields{""};
  for (const char c : text) {
    if (c == ':')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

/// All errors of bins and range.
std::vector<Diagnostic> problems_of(const HistogramRequest& request, const std::string& location) {
  std::vector<Diagnostic> found;
  const std::string most = engine::with_thousands(engine::max_bins);
  if (request.bins < 1 || request.bins > engine::max_bins)
    found.push_back({location, "bins", std::to_string(request.bins) + " is out of range",
                     "allowed: 1 to " + most});
  if (!request.range) return found;
  const auto [low, high] = *request.range;
  if (!std::isfinite(low) || !std::isfinite(high))
    found.push_back({location, "range", "its ends must be finite", "write finite numbers"});
  else if (low >= high)
    found.push_back({location, "range",
                     engine::number_text(low) + " to " + engine::number_text(high) + " is empty",
                     "write the low end first"});
  else if (found.empty() && !engine::can_bin(low, high, static_cast<int>(request.bins)))
    found.push_back({location, "range",
                     engine::number_text(low) + " to " + engine::number_text(high) +
                         " is too wide for double precision, or too narrow for so many bins",
                     "choose another range or fewer bins"});
  return found;
}

/// True if a text is no expression of a single variable, whose names are shorter.
bool is_only_a_name(const std::string& text) {
  return text.size() > 2 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
         });
}

/// Parses one request; appends its errors to `problems`.
HistogramRequest read_one(const std::string& text, const std::string& location,
                          std::vector<Diagnostic>& problems) {
  HistogramRequest request;
  const std::vector<std::string> fields = split(text);
  request.scalar = Quantity(fields[0]);
  if (request.scalar.kind == Scalar::expression && is_only_a_name(fields[0])) {
    std::vector<std::string> names;
    for (const ScalarInfo& s : scalars()) names.push_back(s.name);
    problems.push_back({location, "", "bodies have no scalar " + engine::quoted(fields[0]),
                        engine::did_you_mean(fields[0], names, "they have: ")});
  }
  if (fields.size() != 1 && fields.size() != 2 && fields.size() != 4) {
    problems.push_back({location, "", "has " + std::to_string(fields.size()) + " fields", syntax});
    return request;
  }
  bool read = true;
  if (fields.size() > 1 && !read_number(fields[1], request.bins)) {
    problems.push_back({location, "bins", engine::quoted(fields[1]) + " is not a whole number",
                        "allowed: 1 to " + engine::with_thousands(engine::max_bins)});
    read = false;
  }
  if (fields.size() == 4) {
    request.range.emplace();
    for (const auto& [field, value] :
         {std::pair{&fields[2], &request.range->low}, {&fields[3], &request.range->high}})
      if (!read_number(*field, *value)) {
        problems.push_back(
            {location, "range", engine::quoted(*field) + " is not a number", syntax});
        read = false;
      }
  }
  if (read)
    for (Diagnostic& problem : problems_of(request, location))
      problems.push_back(std::move(problem));
  return request;
}

/// Counts value(0) to value(count - 1), over the ranks of the policy.
template <class Value>
Histogram count_values(const engine::Cpu& exec, Index count, const Value& value,
                       const HistogramRequest& request) {
  Extremes ends;
  if (!request.range)
    ends = engine::ordered_sum(exec, count, Extremes{}, [&](Index begin, Index end) {
      Extremes part;
      for (Index i = begin; i < end; ++i)
        if (const double v = value(i); std::isfinite(v)) part += Extremes{v, v};
      return part;
    });
  const engine::Bins bins = bins_for(request, ends.smallest, ends.largest);
  return histogram_of(
      request, bins,
      engine::sum_over(exec.ranks, engine::count_in_bins(exec.threads, count, bins, value)));
}

}  // namespace

std::vector<HistogramRequest> read_histograms(const std::vector<std::string>& texts,
                                              const std::string& option) {
  std::vector<HistogramRequest> requests;
  std::vector<Diagnostic> problems;
  std::vector<std::string> seen;
  for (const std::string& text : texts) {
    const std::string location = option + " " + text;
    requests.push_back(read_one(text, location, problems));
    const ScalarInfo scalar = scalar_info(requests.back().scalar);
    const std::string file = file_name(scalar);
    if (std::find(seen.begin(), seen.end(), file) != seen.end())
      problems.push_back({location, "", scalar.name + " is requested twice, but has only one file",
                          "remove one of the requests"});
    seen.push_back(file);
  }
  if (!problems.empty()) throw engine::InputError(std::move(problems));
  return requests;
}

void check(const HistogramRequest& request) {
  std::vector<Diagnostic> problems =
      problems_of(request, "histogram of " + scalar_info(request.scalar).name);
  if (!problems.empty()) throw engine::InputError(std::move(problems));
}

Histogram histogram(const engine::Cpu& exec, const State<engine::Host>& state,
                    const HistogramRequest& request) {
  check(request);
  return state.visit([&](auto view) {
    return with_scalar(
        request.scalar.kind, view,
        [&](auto value) { return count_values(exec, view.count, value, request); }, request.center);
  });
}

Histogram histogram(const engine::Cpu& exec, std::span<const double> computed,
                    const HistogramRequest& request) {
  check(request);
  return count_values(exec, static_cast<Index>(computed.size()),
                      ColumnValue<double>{computed.data()}, request);
}

engine::Bins bins_for(const HistogramRequest& request, double smallest, double largest) {
  const int count = static_cast<int>(request.bins);
  return request.range ? engine::bins_over(request.range->low, request.range->high, count)
                       : engine::bins_of_values(smallest, largest, count);
}

Histogram histogram_of(const HistogramRequest& request, const engine::Bins& bins,
                       std::vector<std::uint64_t> slots) {
  const auto count = static_cast<std::size_t>(bins.count);
  Histogram result{request.scalar, bins, {}, slots[count], slots[count + 1], slots[count + 2]};
  slots.resize(count);
  result.counts = std::move(slots);
  return result;
}

std::string file_name(const ScalarInfo& scalar) {
  std::string name = "histogram";
  bool apart = true;  // an underscore stands for all that is between two words
  for (const char c : scalar.name) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '-';
    if (kept && apart) name += '_';
    if (kept) name += c;
    apart = !kept;
  }
  return name + ".csv";
}

std::string csv_text(const Histogram& histogram, const engine::UnitSystem& units) {
  const ScalarInfo scalar = scalar_info(histogram.scalar);
  std::string unit = unit_text(scalar, units);
  if (!unit.empty()) unit = " [" + unit + "]";
  // A comma in an expression would begin another column.
  std::string column = scalar.name;
  std::replace(column.begin(), column.end(), ',', ';');
  std::string text = column + "_low" + unit + "," + column + "_high" + unit + ",count\n";
  std::string edge = engine::number_text(histogram.bins.edge(0));
  for (int i = 0; i < histogram.bins.count; ++i) {
    text += edge + ',';
    edge = engine::number_text(histogram.bins.edge(i + 1));
    text += edge + ',' + std::to_string(histogram.counts[static_cast<std::size_t>(i)]) + '\n';
  }
  return text;
}

}  // namespace mote::sim

// A file that uses the standard library as most files here do: the unit in which
// script/summarize_build.py measures a build. Nothing of the project is in it, so that it stays the
// same.
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <variant>
#include <vector>

using Value = std::variant<double, std::string, std::vector<double>>;

std::map<std::string, Value> sorted(std::vector<std::pair<std::string, Value>> all) {
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return {all.begin(), all.end()};
}

std::optional<std::string> found(const std::map<std::string, Value>& all,
                                 const std::string& words) {
  const std::regex pattern(words);
  for (const auto& [name, value] : all)
    if (std::regex_search(name, pattern) && std::holds_alternative<std::string>(value))
      return std::get<std::string>(value);
  return std::nullopt;
}

std::set<std::filesystem::path> parents(const std::vector<std::filesystem::path>& files) {
  std::set<std::filesystem::path> all;
  for (const auto& file : files) all.insert(file.parent_path());
  return all;
}

std::function<double(double)> composed(std::vector<std::function<double(double)>> all) {
  return [all = std::move(all)](double x) {
    return std::accumulate(all.begin(), all.end(), x, [](double y, const auto& f) { return f(y); });
  };
}

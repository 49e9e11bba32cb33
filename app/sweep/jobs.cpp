#include "app/sweep/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "app/sweep/plan_tables.h"
#include "engine/check.h"
#include "engine/json.h"
#include "engine/math/hash.h"
#include "engine/math/random.h"
#include "engine/text.h"

namespace mote::app {
namespace {

using engine::Random;

/// Limit on the number of values of a sweep, summed over its jobs.
constexpr double max_values = 5e7;

/// Random stream of an axis, by its name: adding another axis does not change it.
std::uint32_t stream_of(const std::string& name, std::uint64_t purpose) {
  std::uint64_t hash = purpose;
  for (const char c : name) hash = engine::hash_word(hash, static_cast<unsigned char>(c));
  return static_cast<std::uint32_t>(hash);
}

std::vector<SweepPoint> grid_points(const std::vector<SweepAxis>& axes) {
  std::vector<SweepPoint> points{{}};
  for (const SweepAxis& axis : axes) {
    std::vector<SweepPoint> extended;
    for (const SweepPoint& point : points)
      for (const engine::Json& value : axis.values) {
        extended.push_back(point);
        extended.back().push_back({axis.name, value});
      }
    points = std::move(extended);
  }
  return points;
}

std::vector<SweepPoint> random_points(const SweepSamples& samples, std::uint64_t seed) {
  std::vector<SweepPoint> points(static_cast<std::size_t>(samples.count));
  for (const SweepAxis& axis : samples.axes)
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i].push_back(
          {axis.name, axis.span.at(Random(seed, stream_of(axis.name, 1), i).uniform())});
  return points;
}

/// Latin hypercube sampling (McKay, Beckman & Conover 1979, Technometrics 21, 239): every axis is
/// divided into as many strata as there are samples; each is used once, in a random order per axis.
std::vector<SweepPoint> hypercube_points(const SweepSamples& samples, std::uint64_t seed) {
  std::vector<SweepPoint> points(static_cast<std::size_t>(samples.count));
  std::vector<std::size_t> strata(points.size());
  for (const SweepAxis& axis : samples.axes) {
    std::iota(strata.begin(), strata.end(), std::size_t{0});
    const std::uint32_t order = stream_of(axis.name, 2), within = stream_of(axis.name, 3);
    for (std::size_t i = strata.size(); i > 1; --i) {
      const double pick = Random(seed, order, i).uniform() * static_cast<double>(i);
      std::swap(strata[i - 1], strata[std::min(static_cast<std::size_t>(pick), i - 1)]);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double fraction = (static_cast<double>(strata[i]) + Random(seed, within, i).uniform()) /
                              static_cast<double>(points.size());
      points[i].push_back({axis.name, axis.span.at(fraction)});
    }
  }
  return points;
}

std::vector<SweepPoint> or_single_point(std::vector<SweepPoint> points) {
  if (points.empty()) points.emplace_back();
  return points;
}

/// The seed of a job: 21 bits of the plan's seed above 32 bits of the job number, so that all jobs
/// differ.
std::int64_t seed_of(std::uint64_t plan_seed, std::uint64_t number) {
  const std::uint64_t mixed = engine::mix_bits(plan_seed);
  return static_cast<std::int64_t>(((mixed >> 43) << 32) | ((number ^ mixed) & 0xffffffffu));
}

void check_job_count(const SweepPlan& plan) {
  double count = static_cast<double>(plan.repeats) *
                 static_cast<double>(std::max<std::size_t>(1, plan.list.size()));
  for (const SweepAxis& axis : plan.grid) count *= static_cast<double>(axis.values.size());
  for (const SweepSamples* s : {&plan.random, &plan.latin_hypercube})
    count *= static_cast<double>(std::max<std::int64_t>(1, s->count));
  if (count > static_cast<double>(max_jobs))
    throw engine::InputError(
        plan.file.string(), fmt::format("gives {:.3g} jobs", count),
        "the limit is 1,000,000; the sizes of list, grid, samples and repeats multiply");
  const std::size_t names = plan.locations.size();
  if (count * static_cast<double>(names) > max_values)
    throw engine::InputError(plan.file.string(),
                             fmt::format("gives {:.3g} jobs {} values each", count, names),
                             "the limit is 50,000,000 values in total");
}

}  // namespace

std::vector<SweepJob> make_jobs(const SweepPlan& plan) {
  check_job_count(plan);
  const auto seed = static_cast<std::uint64_t>(plan.seed);
  const auto listed = or_single_point(plan.list), grid = grid_points(plan.grid),
             random = or_single_point(random_points(plan.random, seed)),
             cube = or_single_point(hypercube_points(plan.latin_hypercube, seed));
  std::vector<SweepJob> jobs;
  for (const SweepPoint& a : listed)
    for (const SweepPoint& b : grid)
      for (const SweepPoint& c : random)
        for (const SweepPoint& d : cube)
          for (std::int64_t repeat = 0; repeat < plan.repeats; ++repeat) {
            SweepJob job;
            job.number = static_cast<int>(jobs.size()) + 1;
            job.seed = seed_of(seed, static_cast<std::uint64_t>(job.number));
            for (const SweepPoint* part : {&plan.set, &a, &b, &c, &d})
              for (const SweepValue& v : *part) {
                if (v.name == "seed" && v.value.is_number_integer())
                  job.seed = v.value.get<std::int64_t>();
                else
                  job.point.push_back(v);
              }
            jobs.push_back(std::move(job));
          }
  return jobs;
}

std::vector<std::string> varied_names(const SweepPlan& plan) {
  std::set<std::string> names;
  for (const SweepPoint& point : plan.list)
    for (const SweepValue& v : point) names.insert(v.name);
  for (const auto* axes : {&plan.grid, &plan.random.axes, &plan.latin_hypercube.axes})
    for (const SweepAxis& axis : *axes) names.insert(axis.name);
  names.erase("seed");
  return {names.begin(), names.end()};
}

std::vector<std::string> run_arguments(const SweepPlan& plan) {
  std::vector<std::string> words{plan.scene_file.string()};
  const auto add = [&](const char* option, const auto& value) {
    if (value) words.insert(words.end(), {option, fmt::format("{}", *value)});
  };
  const auto text = [](const std::string& value) {
    return value.empty() ? std::nullopt : std::optional<std::string>(value);
  };
  add("--steps", plan.run.steps);
  add("--until", text(plan.run.time));
  add("--series-steps", plan.run.series_steps);
  add("--snapshot-steps", plan.run.snapshot_steps);
  add("--snapshot-time", text(plan.run.snapshot_time));
  if (plan.run.backend != "auto") add("--backend", text(plan.run.backend));
  add("--precision", plan.run.precision);
  add("--checkpoint-final", plan.run.checkpoint_final);
  return words;
}

std::vector<std::string> setting_arguments(const SweepJob& job) {
  std::vector<std::string> words;
  for (const SweepValue& v : job.point)
    words.insert(words.end(), {"--set", v.name + "=" + typed_text(v.value)});
  words.insert(words.end(), {"--seed", fmt::format("{}", job.seed)});
  return words;
}

std::filesystem::path job_folder(const std::filesystem::path& out, int number) {
  return out / "runs" / fmt::format("{:04}", number);
}

std::filesystem::path failure_file(const std::filesystem::path& out, int number) {
  return out / "failures" / fmt::format("{:04}.txt", number);
}

std::string shell_line(const std::vector<std::string>& words) {
  const char* safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";  // need no quotes
                                                                                   // in any shell
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(safe) == word.npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace mote::app

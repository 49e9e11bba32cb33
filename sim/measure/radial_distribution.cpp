#include "sim/measure/radial_distribution.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/json.h"
#include "sim/space/cell_grid.h"
#include "sim/space/neighbour_runs.h"

namespace mote::sim {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Json;
using engine::param;
using engine::Vec3d;

const engine::ParamTable<RadialDistribution>& radial_distribution_table() {
  static const engine::ParamTable<RadialDistribution> table{
      "radial_distribution",
      "The radial distribution function g(r) of bodies in a closed domain, averaged over samples "
      "of a headless run: radial_distribution.csv, with the mean number of neighbours within each "
      "radius.",
      {param(
           &RadialDistribution::range,
           {.name = "range",
            .help = "largest distance; at most half of the shortest periodic length of the domain",
            .unit = "length",
            .minimum = 0,
            .minimum_excluded = true,
            .required = true}),
       param(&RadialDistribution::bins, {.name = "bins",
                                         .help = "number of shells of equal width up to range",
                                         .minimum = 1,
                                         .maximum = static_cast<double>(most_radial_bins)}),
       param(&RadialDistribution::every,
             {.name = "every", .help = "steps between samples", .minimum = 1, .maximum = 1e15}),
       param(&RadialDistribution::from,
             {.name = "from",
              .help = "step of the first sample; exclude equilibration, such as melting",
              .minimum = 0,
              .maximum = 1e15}),
       param(&RadialDistribution::species, {.name = "species",
                                            .help = "also one column for each pair of species, of "
                                                    "which there may be 8"})}};
  return table;
}

RadialCounts::RadialCounts(const RadialDistribution& wanted, const Domain& domain,
                           std::vector<std::string> species)
    : wanted_(wanted), domain_(domain), species_(std::move(species)) {
  MOTE_EXPECT(wanted.range > 0 && wanted.bins > 0 && domain.closed());
  products_.resize(kinds() * (kinds() + 1) / 2);
  counts_.resize(products_.size() * static_cast<std::size_t>(wanted_.bins));
}

void RadialCounts::add(const Cpu& exec, const State<Host>& state) {
  state.visit([&]<class Real>(StateView<const Real> s) { count(exec, s); });
  std::vector<double> members(kinds());
  for (Index i = 0; i < state.count(); ++i) ++members[kinds() > 1 ? state.species()[i] : 0u];
  for (std::size_t b = 0; b < kinds(); ++b)
    for (std::size_t a = 0; a <= b; ++a)
      products_[pair(a, b)] += a == b ? members[a] * members[a] / 2 : members[a] * members[b];
  const auto n = static_cast<double>(state.count());
  bodies_ += n;
  squares_ += n * n;
  ++samples_;
}

template <class Real>
void RadialCounts::count(const Cpu& exec, const StateView<const Real>& s) {
  if (s.count == 0) return;
  CellGrid<Real> grid;
  grid.build(exec, s, domain_, wanted_.range);
  const CellLayout& cells = grid.layout();
  const auto bins = static_cast<std::size_t>(wanted_.bins);
  const double squared_range = wanted_.range * wanted_.range,
               scale = static_cast<double>(wanted_.bins) / wanted_.range;
  const bool by_kind = kinds() > 1;
  const Real *x = grid.x(), *y = grid.y(), *z = grid.z();
  const std::int32_t* const index = grid.index();
  // Private counters per task; integer sums are independent of the order.
  const Index tasks = std::min<Index>(exec.threads, s.count);
  std::vector<std::vector<std::uint64_t>> counted(static_cast<std::size_t>(tasks));
  engine::parallel_tasks(exec.threads, tasks, [&](Index task) {
    std::vector<std::uint64_t>& own = counted[static_cast<std::size_t>(task)];
    own.resize(counts_.size());
    const Index first = s.count * task / tasks, last = s.count * (task + 1) / tasks;
    for (Index p = first; p < last; ++p) {
      const std::size_t kind = by_kind ? s.species[index[p]] : 0u;
      for_each_neighbour_run(
          cells, grid.start(), grid.cell_at(p),
          [&](std::int32_t from, std::int32_t to, Vec3d shift) {
            const double xp = static_cast<double>(x[p]) - shift.x,
                         yp = static_cast<double>(y[p]) - shift.y,
                         zp = static_cast<double>(z[p]) - shift.z;
            // Each pair once, from the lower slot.
            for (Index q = std::max<Index>(from, p + 1); q < to; ++q) {
              const double dx = x[q] - xp, dy = y[q] - yp, dz = z[q] - zp,
                           square = dx * dx + dy * dy + dz * dz;
              if (!(square < squared_range)) continue;
              const std::size_t bin =
                  std::min(bins - 1, static_cast<std::size_t>(std::sqrt(square) * scale));
              ++own[(by_kind ? pair(kind, s.species[index[q]]) : 0u) * bins + bin];
            }
          });
    }
  });
  for (const auto& own : counted)
    for (std::size_t k = 0; k < counts_.size(); ++k) counts_[k] += own[k];
}

std::vector<RadialBin> RadialCounts::bins() const {
  const double width = wanted_.range / static_cast<double>(wanted_.bins),
               volume = domain_.length.x * domain_.length.y * domain_.length.z;
  const auto bins = static_cast<std::size_t>(wanted_.bins);
  std::vector<RadialBin> all;
  std::uint64_t within = 0;
  for (std::size_t k = 0; k < bins; ++k) {
    RadialBin bin{static_cast<double>(k) * width, static_cast<double>(k + 1) * width, 0, 0, {}};
    const double shell = 4 * std::numbers::pi / 3 *
                         (bin.high * bin.high * bin.high - bin.low * bin.low * bin.low) / volume;
    const auto ratio = [&](std::uint64_t found, double pairs) {
      return pairs > 0 ? static_cast<double>(found) / (pairs * shell) : 0;
    };
    std::uint64_t here = 0;
    for (std::size_t p = 0; p < products_.size(); ++p) here += counts_[p * bins + k];
    within += here;
    bin.value = ratio(here, squares_ / 2);
    bin.coordination = bodies_ > 0 ? 2 * static_cast<double>(within) / bodies_ : 0;
    for (std::size_t a = 1; a < kinds(); ++a)
      for (std::size_t b = a; b < kinds(); ++b)
        bin.pairs.push_back(ratio(counts_[pair(a, b) * bins + k], products_[pair(a, b)]));
    all.push_back(std::move(bin));
  }
  return all;
}

std::vector<std::string> RadialCounts::pair_names() const {
  std::vector<std::string> names;
  for (std::size_t a = 1; a < kinds(); ++a)
    for (std::size_t b = a; b < kinds(); ++b)
      names.push_back(species_[a - 1] + "_" + species_[b - 1]);
  return names;
}

Json RadialCounts::json() const {
  return Json{{"samples", samples_},
              {"bodies", bodies_},
              {"squares", squares_},
              {"products", products_},
              {"counts", counts_}};
}

void RadialCounts::read(const Json& json) {
  const auto samples = json.at("samples").get<std::uint64_t>();
  const double bodies = json.at("bodies"), squares = json.at("squares");
  const auto products = json.at("products").get<std::vector<double>>();
  const auto counts = json.at("counts").get<std::vector<std::uint64_t>>();
  // The scene has changed since.
  if (products.size() != products_.size() || counts.size() != counts_.size())
    throw engine::InputError("radial_distribution", "the stored counts have other bins or species");
  samples_ = samples, bodies_ = bodies, squares_ = squares;
  products_ = products, counts_ = counts;
}

}  // namespace mote::sim

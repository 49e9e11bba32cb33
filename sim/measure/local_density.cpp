#include "sim/measure/local_density.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/exec/parallel.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

using Point = std::array<double, 3>;

constexpr double pi = 3.14159265358979323846;
constexpr Index bodies_per_leaf = 16;

/// The nearest so far: squares of distances with indices, the farthest first. Equal distances are
/// ordered by index, so that the result does not depend on the order of the search.
class Nearest {
 public:
  using Entry = std::pair<double, Index>;
  explicit Nearest(std::size_t count) : count_(count) { entries_.reserve(count); }

  /// The square of the distance beyond which nothing is taken any more.
  double reach() const {
    return entries_.size() < count_ ? std::numeric_limits<double>::infinity()
                                    : entries_.front().first;
  }
  void offer(Entry entry) {
    if (entries_.size() == count_) {
      if (!(entry < entries_.front())) return;
      std::pop_heap(entries_.begin(), entries_.end());
      entries_.pop_back();
    }
    entries_.push_back(entry);
    std::push_heap(entries_.begin(), entries_.end());
  }
  /// Ascending; the heap is gone then.
  const std::vector<Entry>& sorted() {
    std::sort_heap(entries_.begin(), entries_.end());
    return entries_;
  }

 private:
  std::size_t count_;
  std::vector<Entry> entries_;
};

/// A k-d tree (Bentley 1975, CACM 18, 509): halves of the bodies along the longest side of the box
/// that holds them.
class NeighbourTree {
 public:
  explicit NeighbourTree(std::vector<Point> points) : points_(std::move(points)) {
    for (std::size_t i = 0; i < points_.size(); ++i) order_.push_back(static_cast<Index>(i));
    build(0, static_cast<Index>(points_.size()));
  }

  /// Offers bodies that may be among the nearest to a point, except `own`.
  void search(const Point& from, Index own, Nearest& nearest) const {
    search(0, from, own, nearest);
  }

 private:
  struct Node {
    Point low, high;
    Index begin, end;
    std::size_t right;  ///< its other half; the first one is the next node; 0: a leaf
  };

  const Point& point(Index i) const { return points_[static_cast<std::size_t>(i)]; }

  void build(Index begin, Index end) {
    const std::size_t own = nodes_.size();
    Node node{point(order_[static_cast<std::size_t>(begin)]),
              point(order_[static_cast<std::size_t>(begin)]), begin, end, 0};
    for (Index k = begin; k < end; ++k)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double at = point(order_[static_cast<std::size_t>(k)])[axis];
        node.low[axis] = std::min(node.low[axis], at);
        node.high[axis] = std::max(node.high[axis], at);
      }
    nodes_.push_back(node);
    if (end - begin <= bodies_per_leaf) return;
    std::size_t longest = 0;
    for (const std::size_t axis : {std::size_t{1}, std::size_t{2}})
      if (node.high[axis] - node.low[axis] > node.high[longest] - node.low[longest]) longest = axis;
    const Index middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](Index a, Index b) {
                       return std::pair(point(a)[longest], a) < std::pair(point(b)[longest], b);
                     });
    build(begin, middle);
    nodes_[own].right = nodes_.size();
    build(middle, end);
  }

  /// Square of the distance of a point from the box of a node.
  double distance(std::size_t which, const Point& from) const {
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double by = std::max(
          {nodes_[which].low[axis] - from[axis], from[axis] - nodes_[which].high[axis], 0.0});
      sum += by * by;
    }
    return sum;
  }

  void search(std::size_t which, const Point& from, Index own, Nearest& nearest) const {
    if (distance(which, from) > nearest.reach()) return;
    const Node& node = nodes_[which];
    if (node.right == 0) {
      for (Index k = node.begin; k < node.end; ++k) {
        const Index i = order_[static_cast<std::size_t>(k)];
        if (i == own) continue;
        double sum = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double by = point(i)[axis] - from[axis];
          sum += by * by;
        }
        nearest.offer({sum, i});
      }
      return;
    }
    const bool left_first = distance(which + 1, from) <= distance(node.right, from);
    search(left_first ? which + 1 : node.right, from, own, nearest);
    search(left_first ? node.right : which + 1, from, own, nearest);
  }

  std::vector<Point> points_;
  std::vector<Index> order_;
  std::vector<Node> nodes_;
};

/// Coordinate within [0, period), for a tree that holds one of all images.
double wrapped(double at, double period) {
  return period > 0 ? at - period * std::floor(at / period) : at;
}

}  // namespace

std::vector<double> local_density(const engine::Cpu& exec, const State<engine::Host>& state,
                                  Vec3d period) {
  const auto count = static_cast<std::size_t>(state.count());
  std::vector<double> density(count);
  if (count < 2) return density;
  const Point periods{period.x, period.y, period.z};
  std::vector<Point> points(count);
  std::vector<double> mass(count);
  state.visit([&](const auto& s) {
    for (std::size_t i = 0; i < count; ++i) {
      points[i] = {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]),
                   static_cast<double>(s.z[i])};
      for (std::size_t axis = 0; axis < 3; ++axis)
        points[i][axis] = wrapped(points[i][axis], periods[axis]);
      mass[i] = static_cast<double>(s.mass[i]);
    }
  });
  // A body is nearest to itself, so its own place comes first among the images.
  std::vector<Point> images{{}};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (periods[axis] > 0)
      for (std::size_t k = 0, before = images.size(); k < before; ++k)
        for (const double by : {-periods[axis], periods[axis]}) {
          images.push_back(images[k]);
          images.back()[axis] = by;
        }
  const std::size_t neighbours = std::min<std::size_t>(density_neighbours, count - 1);
  const NeighbourTree tree(points);
  engine::parallel_chunks(exec.threads, state.count(), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Nearest nearest(neighbours);
      for (const Point& image : images) {
        Point from = points[static_cast<std::size_t>(i)];
        for (std::size_t axis = 0; axis < 3; ++axis) from[axis] += image[axis];
        tree.search(from, i, nearest);
      }
      const auto& found = nearest.sorted();
      double sum = 0;
      for (std::size_t k = 0; k + 1 < found.size(); ++k)
        sum += mass[static_cast<std::size_t>(found[k].second)];
      const double reach = std::sqrt(found.back().first);
      density[static_cast<std::size_t>(i)] = sum / (4 * pi / 3 * reach * reach * reach);
    }
  });
  return density;
}

}  // namespace mote::sim

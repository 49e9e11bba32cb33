#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "engine/memory/buffer.h"
#include "sim/expansions/expansion_view.h"
#include "sim/expansions/multipole.h"
#include "sim/expansions/tree_device.h"

namespace mote::sim {

/// Device memory of the expansions of a tree: moments of all cells, and lists and expansions of the
/// targets. How much the lists need is known only once they are made.
class ExpansionMemory {
 public:
  using Index = engine::Index;

  /// `charged`: with fields of neighbours, and `periodic`: with pulls. `cells`: for so many at
  /// first.
  ExpansionMemory(Index count, const MultipoleSettings& settings, bool charged, bool periodic,
                  std::uint32_t cells)
      : stride_(padded_count(settings.order)),
        of_pulls_(settings.of_pulls),
        charged_(charged),
        pulls_(periodic && !charged) {
    if (settings.in_single)
      single_.emplace(count);
    else
      double_.emplace(count);
    reserve_cells(cells);
    reserve_rows(std::min(cells, first_rows(count, settings)));
    words_ = Column<std::uint32_t>(first_words(count, settings));
    reserve_far(1024);
    extra_near_ = Column<ExtraChunk>(1024);
    extra_sums_ = Column<NearSum>(1024);
  }

  /// Size of what the constructor reserves [bytes], without fields of neighbours and pulls.
  static std::uint64_t bytes(Index count, const MultipoleSettings& settings) {
    const std::uint64_t real = settings.in_single ? sizeof(float) : sizeof(double);
    const std::uint64_t row = static_cast<std::uint64_t>(padded_count(settings.order)) * real;
    return static_cast<std::uint64_t>(count) * 4 * real +
           DeviceTree::first_capacity(count, settings.leaf) * (row + 16) +
           first_rows(count, settings) * row +
           static_cast<std::uint64_t>(first_words(count, settings)) * 4;
  }

  bool in_single() const { return single_.has_value(); }

  template <class T>
  ExpansionView<T> view() {
    ExpansionView<T> v{};
    v.stride = stride_, v.charged = charged_, v.of_pulls = of_pulls_;
    Numbers<T>* own = nullptr;
    if constexpr (std::is_same_v<T, float>)
      own = &*single_;
    else
      own = &*double_;
    v.bodies = own->bodies.data();
    v.moments = own->moments.data(), v.locals = own->locals.data();
    v.field = field_.data(), v.left = left_.data(), v.near = near_.data(), v.pull = pull_.data();
    v.extra_locals = own->extra_locals.data(), v.extra_sums = extra_sums_.data();
    const auto room = [](const auto& buffer) {
      return static_cast<unsigned long long>(buffer.size());
    };
    // Units are numbers of 32 bits.
    const unsigned long long units = std::min(room(words_) / 4, 0xffffffffull);
    v.lists = {words_.data(),     far_.data(),        rest_.data(),
               extra_far_.data(), extra_near_.data(), units,
               room(extra_far_),  room(extra_near_),  room(extra_sums_)};
    return v;
  }

  void reserve_cells(std::uint32_t cells) {
    const auto size = static_cast<Index>(cells);
    replace(field_, size), replace(left_, size);
    if (charged_) replace(near_, size);
    if (pulls_) replace(pull_, size);
    replace(far_, size), replace(rest_, size);
    with_numbers([&](auto& numbers) { replace(numbers.moments, size * stride_); });
  }

  /// Makes room for the targets and lists that there are or would be.
  void grow(const TreeControl& control) {
    // A half more than what is known to be needed.
    const auto grow_to = [&](Index room, unsigned long long wanted, const auto& reserve) {
      const auto needed = static_cast<Index>(wanted);
      if (needed > room) reserve(needed + needed / 2);
    };
    grow_to(rows_, control.targets.row[Targets::levels], [&](Index rows) { reserve_rows(rows); });
    grow_to(words_.size(), 4 * (control.list_units + 1),
            [&](Index size) { replace(words_, size); });
    grow_to(extra_far_.size(), control.extra_far, [&](Index size) { reserve_far(size); });
    grow_to(extra_near_.size(), control.extra_near,
            [&](Index size) { replace(extra_near_, size); });
    grow_to(extra_sums_.size(), control.extra_bodies,
            [&](Index size) { replace(extra_sums_, size); });
  }

 private:
  template <class T>
  using Column = engine::Buffer<T, engine::Device>;

  template <class T>
  struct Numbers {
    explicit Numbers(Index count) : bodies(count) {}
    Column<LeafBody<T>> bodies;
    Column<T> moments, locals, extra_locals;
  };

  /// Words of lists per body, at first.
  static constexpr Index words_per_body = 24;

  static Index first_words(Index count, const MultipoleSettings& settings) {
    return words_per_body * std::min(count, settings.targets) + 65'536;
  }
  static std::uint32_t first_rows(Index count, const MultipoleSettings& settings) {
    return DeviceTree::first_capacity(std::min(count, settings.targets), settings.leaf);
  }

  /// The old one is freed first.
  template <class T>
  static void replace(Column<T>& column, Index size) {
    column = {};
    column = Column<T>(size);
  }
  template <class Use>
  void with_numbers(const Use& use) {
    if (single_) use(*single_);
    if (double_) use(*double_);
  }
  void reserve_rows(Index rows) {
    rows_ = rows;
    with_numbers([&](auto& numbers) { replace(numbers.locals, rows * stride_); });
  }
  void reserve_far(Index chunks) {
    replace(extra_far_, chunks);
    with_numbers([&](auto& numbers) { replace(numbers.extra_locals, chunks * stride_); });
  }

  int stride_;
  double of_pulls_;
  bool charged_, pulls_;
  std::optional<Numbers<float>> single_;
  std::optional<Numbers<double>> double_;
  Column<float> field_, left_, near_, pull_;
  Column<std::uint32_t> words_, far_, rest_;
  Column<ExtraChunk> extra_far_, extra_near_;
  Column<NearSum> extra_sums_;
  Index rows_ = 0;
};

}  // namespace mote::sim

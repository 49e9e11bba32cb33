#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/check.h"
#include "engine/memory/buffer.h"
#include "engine/platform.h"
#include "engine/types.h"
#include "sim/columns.h"

namespace mote::sim {

/// Columns of the components of a vector; null for those that the state does not have.
template <class Real>
struct VectorColumns {
  Real* of[3] = {};
  MOTE_HOST_DEVICE Real* operator[](int axis) const { return of[axis]; }
};

/// Bodies that other ranks own, in front of and behind the own ones in memory: all bodies of a
/// state are in the order of the simulation that is not divided.
struct Copies {
  engine::Index before = 0, after = 0;
};

/// Pointers to the columns of a State; freely copied, valid until the State is resized or
/// destroyed.
///
/// All columns have `count` elements: the rank's own bodies, which loops over targets are over.
/// Where a simulation is divided between ranks, copies of bodies stand before and behind them, for
/// loops over sources (with). Ids, masses and species of copies are always there. Positions are
/// received when forces ask for them (sim/ranks/copies.h), and are NaN until then. So are other
/// columns of the copies that have them (State); of the rest there is no memory.
template <class Real>
struct StateView {
  engine::Index count;
  const std::uint32_t* id;      ///< identity of the body; unaffected by reordering
  Real* mass;                   ///< [mass], >= 0
  Real *x, *y, *z;              ///< [length]
  Real *vx, *vy, *vz;           ///< [velocity]
  Real *ax, *ay, *az;           ///< [velocity / time], at the positions after each full step
  const std::uint8_t* species;  ///< species index, 0 for none; null without species
  // Columns of the layout's fields, in its order: tables in host memory. Kernels take the columns
  // that they need.
  int field_count = 0;
  const FieldInfo* const* field_info = nullptr;
  Real* const* field_column = nullptr;

  /// Own bodies and the state's copies of others, in the order of all, without fields. Velocities
  /// and accelerations must not be read of copies that do not have them.
  StateView with(const Copies& copies) const {
    const engine::Index b = copies.before;
    return {count + b + copies.after,
            id - b,
            mass - b,
            x - b,
            y - b,
            z - b,
            vx - b,
            vy - b,
            vz - b,
            ax - b,
            ay - b,
            az - b,
            species ? species - b : nullptr};
  }

  /// The column of a field, null if the state does not have it: a search by name, not for loops
  /// over bodies. On the host.
  Real* operator[](const FieldInfo& field) const {
    for (int k = 0; k < field_count; ++k)
      if (*field_info[k] == field) return field_column[k];
    return nullptr;
  }
  VectorColumns<Real> operator[](const FieldVector& vector) const {
    return {{(*this)[vector[0]], (*this)[vector[1]], (*this)[vector[2]]}};
  }

  /// The columns that every state has: mass, positions, velocities, accelerations.
  std::array<Real*, 10> common() const { return {mass, x, y, z, vx, vy, vz, ax, ay, az}; }
  /// The first so many of these are the physical state; accelerations follow from it.
  static constexpr std::size_t physical = 7;

  StateView<const Real> read_only() const {
    return {count, id, mass, x,  y,       z,           vx,         vy,
            vz,    ax, ay,   az, species, field_count, field_info, field_column};
  }
};

/// THE particle arrays, in one memory space, in float (single precision) or double (mixed and
/// double). Structure of arrays, for coalesced and vectorised access. Units are those of the scene.
/// Species, fields and globals are allocated only if the layout has them.
template <class Space>
class State {
 public:
  template <class Real>
  using Column = engine::Buffer<Real, Space>;

  State(engine::Index count, engine::Precision precision, const StateLayout& layout = {},
        const Copies& copies = {})
      : State(count, precision, layout, copies, copies) {}
  /// `complete`: the nearest copies, which have all columns. Farther ones have no velocities,
  /// accelerations and fields.
  State(engine::Index count, engine::Precision precision, const StateLayout& layout,
        const Copies& copies, const Copies& complete)
      : count_(count),
        copies_(copies),
        first_complete_(copies.before - complete.before),
        complete_(complete.before + count + complete.after),
        precision_(precision),
        layout_(layout),
        id_(all()),
        species_(layout.species ? all() : 0),
        globals_(layout.global_count()) {
    MOTE_EXPECT(first_complete_ >= 0 && complete.after <= copies.after);
    if (precision == engine::Precision::single)
      columns_ = Columns<float>(all(), complete_, layout);
    else
      columns_ = Columns<double>(all(), complete_, layout);
    choose(count, copies);
  }

  /// Own bodies.
  engine::Index count() const { return count_; }
  const Copies& copies() const { return copies_; }
  /// Own bodies and copies.
  engine::Index all() const { return copies_.before + count_ + copies_.after; }
  /// The copies that have all columns.
  Copies complete_copies() const {
    const engine::Index before = copies_.before - first_complete_;
    return {before, complete_ - before - count_};
  }
  /// Regards other bodies as the own ones: `count` of those with all columns, between copies. For
  /// sums over ranges that are not those of the ranks.
  void choose(engine::Index count, const Copies& copies) {
    MOTE_EXPECT(copies.before + count + copies.after == all());
    count_ = count, copies_ = copies;
    MOTE_EXPECT(complete_copies().before >= 0 && complete_copies().after >= 0);
    std::visit([&](auto& columns) { columns.begin_at(complete_copies().before); }, columns_);
  }

  engine::Precision precision() const { return precision_; }
  std::uint32_t* id() { return id_.data() + copies_.before; }
  const std::uint32_t* id() const { return id_.data() + copies_.before; }
  const StateLayout& layout() const { return layout_; }
  bool with_species() const { return layout_.species; }
  /// Null without species.
  std::uint8_t* species() { return with_species() ? species_.data() + copies_.before : nullptr; }
  const std::uint8_t* species() const { return const_cast<State*>(this)->species(); }
  /// Numbers of the system: all of them, in the order of the layout, and those of one owner, null
  /// if the layout does not have it.
  double* globals() { return globals_.data(); }
  const double* globals() const { return globals_.data(); }
  double* globals(const GlobalInfo& of) {
    const auto first = layout_.first_of(of);
    return first ? globals_.data() + *first : nullptr;
  }
  const double* globals(const GlobalInfo& of) const {
    return const_cast<State*>(this)->globals(of);
  }

  /// Calls `use(view)` with a StateView<float> or StateView<double>; on a const State, with a view
  /// of const elements.
  template <class Use>
  decltype(auto) visit(Use&& use) {
    return std::visit(
        [&](auto& columns) {
          return use(columns.view(count_, id(), species(), layout_, copies_.before,
                                  complete_copies().before));
        },
        columns_);
  }
  template <class Use>
  decltype(auto) visit(Use&& use) const {
    return const_cast<State*>(this)->visit(
        [&]<class Real>(StateView<Real> s) { return use(s.read_only()); });
  }

  /// Size of a state in memory [bytes]. `incomplete`: copies beside `count`, with positions alone.
  static std::uint64_t bytes(engine::Index count, engine::Precision precision,
                             const StateLayout& layout = {}, engine::Index incomplete = 0) {
    const std::uint64_t real =
        precision == engine::Precision::single ? sizeof(float) : sizeof(double);
    const auto complete = static_cast<std::uint64_t>(count);
    return (complete + static_cast<std::uint64_t>(incomplete)) *
               (4 * real + sizeof(std::uint32_t) + (layout.species ? 1 : 0)) +
           complete * (6 + static_cast<std::uint64_t>(layout.fields.size())) * real;
  }

 private:
  template <class Real>
  struct Columns {
    Columns(engine::Index n, engine::Index complete, const StateLayout& layout)
        : mass(n),
          x(n),
          y(n),
          z(n),
          vx(complete),
          vy(complete),
          vz(complete),
          ax(complete),
          ay(complete),
          az(complete) {
      for (std::size_t k = 0; k < layout.fields.size(); ++k) field.emplace_back(complete);
      begin_at(0);
    }
    /// The field columns of bodies from this one on, of those that have them.
    void begin_at(engine::Index first) {
      field_column.clear();
      for (Column<Real>& column : field) field_column.push_back(column.data() + first);
    }
    /// `b`: bodies in front of the own ones; `c`: those of them that have all columns.
    StateView<Real> view(engine::Index n, const std::uint32_t* id, const std::uint8_t* species,
                         const StateLayout& layout, engine::Index b, engine::Index c) {
      return {n,
              id,
              mass.data() + b,
              x.data() + b,
              y.data() + b,
              z.data() + b,
              vx.data() + c,
              vy.data() + c,
              vz.data() + c,
              ax.data() + c,
              ay.data() + c,
              az.data() + c,
              species,
              static_cast<int>(field_column.size()),
              layout.fields.data(),
              field_column.data()};
    }
    Column<Real> mass, x, y, z, vx, vy, vz, ax, ay, az;
    std::vector<Column<Real>> field;  ///< in the order of the layout
    std::vector<Real*> field_column;
  };

  engine::Index count_;
  Copies copies_;
  engine::Index first_complete_, complete_;  ///< of all(), those that have all columns
  engine::Precision precision_;
  StateLayout layout_;
  Column<std::uint32_t> id_;
  Column<std::uint8_t> species_;
  Column<double> globals_;
  std::variant<Columns<float>, Columns<double>> columns_{Columns<float>(0, 0, {})};
};

/// Calls `use(to, from, physical)` with the pointers of each column of two states of the same
/// layout and precision. `physical`: false for accelerations, which follow from the rest.
template <class To, class From, class Use>
void for_columns(State<To>& to, const State<From>& from, Use&& use) {
  MOTE_EXPECT(to.precision() == from.precision() && same_columns(to.layout(), from.layout()));
  use(to.id(), from.id(), true);
  if (to.with_species()) use(to.species(), from.species(), true);
  to.visit([&]<class Real>(StateView<Real> t) {
    from.visit([&]<class FromReal>(StateView<FromReal> f) {
      if constexpr (std::is_same_v<const Real, FromReal>) {
        for (std::size_t k = 0; k < t.common().size(); ++k)
          use(t.common()[k], f.common()[k], k < t.physical);
        for (int k = 0; k < t.field_count; ++k) use(t.field_column[k], f.field_column[k], true);
      }
    });
  });
}

}  // namespace mote::sim

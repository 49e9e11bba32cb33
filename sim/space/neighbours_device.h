#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/domain.h"
#include "sim/space/cells.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// A body's place and the number of its species, side by side: one load.
template <class Real>
struct alignas(4 * sizeof(Real)) PlaceOf {
  Real x, y, z;
  std::int32_t kind;
};

/// Who is near whom, as kernels see it; all pointers lead into device memory. By place in the order
/// of cells.
///
/// `lanes` threads of a warp share the neighbours of a place. What the threads of one warp read
/// stands together, 32 numbers a row: neighbour k of place p at neighbour_entry() + (k / lanes) *
/// 32 + k % lanes. Where a place has more than `capacity`, forces walk over the cells themselves,
/// in the same order.
template <class Real>
struct DeviceNeighbourView {
  std::int32_t count;
  const std::int32_t* column;      ///< of the state, by place
  const PlaceOf<Real>* place;      ///< now
  const PlaceOf<Real>* listed;     ///< when neighbours were listed
  const std::int32_t* neighbours;  ///< how many, by place; with `at_border` where an image may be
                                   ///< nearer than the body
  const std::int32_t* neighbour;   ///< places
  std::int32_t capacity;           ///< a multiple of `lanes`
  int lanes;
  Real length[3], inverse[3];  ///< of periodic axes and one over it, zeros along others
  Real squared_reach;          ///< that neighbours were listed for
  const CellLayout* cells;
  const std::int32_t* start;  ///< first place of each bucket, and the number of bodies
};

/// Bodies in the order of cells, as kernels see them; all pointers lead into device memory.
template <class Real>
struct DeviceCellView {
  std::int32_t count;
  const std::int32_t* number;  ///< by place: which of the bodies
  const std::int32_t* chosen;  ///< by number, columns of the state; null: numbers are columns
  const PlaceOf<Real>* place;  ///< images within the domain when they were put in order
  double way;                  ///< [length] that bodies may have gone since they were put in order
  const CellLayout* cells;
  const std::int32_t* start;  ///< first place of each bucket, and the number of bodies

  /// Of the state, by place.
  MOTE_HOST_DEVICE std::int32_t column(int p) const {
    return chosen ? chosen[number[p]] : number[p];
  }
};

/// Up to so many bodies have 4 or 8 lanes each, unless somebody asks for others.
inline constexpr engine::Index few_listed = 150'000;

inline constexpr std::int32_t at_border = 1 << 30;
inline constexpr int neighbour_row = 32;

/// Where the neighbours of a place begin, in numbers.
inline MOTE_HOST_DEVICE engine::Index neighbour_entry(engine::Index place, int lanes,
                                                      std::int32_t capacity) {
  const engine::Index thread = place * lanes;
  return thread / neighbour_row * (capacity / lanes * neighbour_row) + thread % neighbour_row;
}

namespace listing {
template <class Real>
struct Listing;
}

/// Who is listed.
struct ListedBodies {
  engine::Index count;  ///< of the state
  /// By column, 0 for bodies that have no neighbours; null: all have.
  const std::vector<std::uint8_t>* chosen = nullptr;
  /// Into the domain, along periodic axes, when they are listed. Those that do not have no images
  /// to be counted.
  bool come_back = true;
  /// Neighbours that a place has room for before anybody was counted: those of a dense liquid.
  std::int32_t usual = 96;
};

/// What Neighbours says holds here, on a GPU, where bodies come back; a skin of 0 is allowed.
/// Bodies are counted by cell, scattered, and put in the order of their columns within each cell,
/// so that the order depends on places alone. One kernel whose blocks wait for each other does it
/// all, and looks itself whether a listing is due: a recorded graph lists when it must.
class DeviceNeighbours {
 public:
  /// `lanes`: 1, 4 or 8 threads a body; 0: as many as fill a GPU with so many bodies. Another
  /// number rounds differently.
  DeviceNeighbours(const engine::Cuda& exec, const Domain& domain, double reach, double skin,
                   const ListedBodies& bodies, engine::Precision precision, int lanes = 0);
  DeviceNeighbours(DeviceNeighbours&&) noexcept;
  ~DeviceNeighbours();

  /// What the device takes for so many bodies, all of which are listed.
  static std::uint64_t device_bytes(const ListedBodies& bodies, engine::Precision precision);

  /// As Neighbours::forget. Does not wait.
  void forget(const engine::Cuda& exec);
  /// Lists nothing once `record` is halted: nothing moves any more then, and what stopped the steps
  /// may have brought all bodies into one cell. Does not wait.
  void update(const engine::Cuda& exec, State<engine::Device>& state,
              const DeviceRecord* record = nullptr);
  template <class Real>
  void update(const engine::Cuda& exec, const StateView<Real>& state,
              const DeviceRecord* record = nullptr);
  /// Where bodies are now; who has moved is not listed anew, and unless nobody was listed the state
  /// stays as it is. Does not wait.
  template <class Real>
  void follow(const engine::Cuda& exec, const StateView<Real>& state);

  /// Makes room where places had more neighbours than there is room for; what was recorded with a
  /// view must be recorded again when it says true. Waits.
  bool settle(const engine::Cuda& exec);

  template <class Real>
  DeviceNeighbourView<Real> view() const;
  /// How many bodies are listed.
  engine::Index places() const { return places_; }

  /// Bodies in the order of cells, which are those of their places when they were listed: `place`
  /// is where they are now.
  template <class Real>
  DeviceCellView<Real> cells() const;

  /// For kernels that list neighbours themselves (listing.cuh).
  template <class Real>
  listing::Listing<Real> to_list(const StateView<Real>& state);

  /// How often bodies were listed, and the most and the mean number of neighbours the last time.
  /// Waits.
  struct Account {
    std::uint32_t listings = 0, most = 0;
    std::uint64_t all = 0;
  };
  Account account(const engine::Cuda& exec) const;

 private:
  struct Memory;
  template <class Real>
  struct Places;
  void reserve(std::int32_t capacity);
  template <class Real>
  void start(const engine::Cuda& exec, const listing::Listing<Real>& all);

  Domain domain_;
  double reach_, skin_;
  engine::Index count_, places_;  // of the state; of those bodies that are listed
  bool come_back_;
  engine::Precision precision_;
  int lanes_;
  unsigned blocks_ = 1;  // that are resident at once
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<Places<float>> single_;
  std::unique_ptr<Places<double>> full_;
};

}  // namespace mote::sim

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/check.h"

/// mote as a library: open a scene, step, look, measure, keep. This header and engine/check.h are
/// all that programs include; docs/library.md shows how. Numbers are in the units of the scene
/// ("nbody" by default: G = 1), times the same.
///
/// Everything throws InputError when what it was given is wrong, with every problem found, and
/// SystemError when the machine fails. Nothing is printed, and nothing is written but where a path
/// is given.
namespace mote {

using engine::Diagnostic;
using engine::InputError;
using engine::SystemError;

/// The simulation has become unhealthy: numbers that are not finite, an energy error past the
/// scene's limit (health.energy_error; by default an energy_drift of 10 where the scene conserves
/// energy), or a hook of the scene that failed. The state is the one after that step.
class MOTE_API UnhealthyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Values for the parameters of a scene by name, and for anything else in it by its path, typed as
/// on the command line:
/// {{"n", "4096"}, {"gravity.softening", "0.01"}, {"seed", "7"}}.
using Settings = std::map<std::string, std::string>;

/// What computes. The same names as the options of `mote run`.
struct Options {
  std::string backend = "auto";    ///< auto, cpu, cuda
  std::string precision = "auto";  ///< auto (what the scene says), single, mixed, double
  std::string simd = "auto";       ///< auto, scalar, sse4.2, avx2, avx512; of the cpu backend
  std::string stepping = "auto";   ///< auto, launch, graph, cooperative, cluster; of the cuda
                                   ///< backend
  std::optional<int> threads{};    ///< of the cpu backend; all by default; never changes a bit
  std::optional<int> device{};     ///< which GPU
  bool trust = false;              ///< the scene may read any file and run for as long as it likes
};

/// Bodies as arrays of the caller, which are copied.
struct Bodies {
  std::span<const double> mass;             ///< n, >= 0
  std::span<const double> position;         ///< 3 n: x, y, z of the first body, of the second, ...
  std::span<const double> velocity;         ///< 3 n
  std::span<const std::string> names = {};  ///< n, or none
};

/// Sums over all bodies, in double whatever the precision. In the units of the scene.
struct Measurement {
  double time = 0;
  std::uint64_t step = 0;
  double kinetic = 0, potential = 0, energy = 0;
  double energy_error = 0;  ///< (energy - that at the start) / |that at the start|
  /// |energy - that at the start| / the largest of |that at the start|, kinetic and |potential|
  /// energy measured so far: says how wrong energies are where that at the start is near 0, too.
  double energy_drift = 0;
  double virial_ratio = 0;  ///< 2 kinetic / |potential|: 1 in equilibrium
  double mass = 0;
  std::array<double, 3> momentum{}, angular_momentum{}, center_of_mass{};
  std::array<double, 3> lagrangian_radii{};  ///< about the centre of mass, of 10, 50 and 90 % of
                                             ///< the mass
  std::array<double, 3> low{}, high{};       ///< corners of the smallest box around all bodies
  double fastest = 0;                        ///< largest speed
  double temperature = 0;  ///< k T, an energy; with forces of near pairs or a thermostat
  double pressure = 0;     ///< with these forces in a closed domain
};

/// The columns of the state.
enum class Column { id, mass, x, y, z, vx, vy, vz, ax, ay, az };

/// Where a column is: the simulation's own memory, not a copy.
struct Array {
  const void* data = nullptr;
  std::size_t count = 0;
  char kind = 'f';         ///< 'f': floating point, 'u': unsigned integer
  int bytes = 4;           ///< of an element: 4 (float, std::uint32_t) or 8 (double)
  int device = -1;         ///< which GPU has it; -1: host memory
  void* stream = nullptr;  ///< the GPU's stream that writes it; nothing is under way on it between
                           ///< calls
};

/// An sRGB picture, three bytes a pixel, rows from the top.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// Asked between steps: whether to end early.
using StopWish = std::function<bool()>;

/// A scene that runs. Same scene, options and machine: same bits, however the steps are sliced, as
/// in `mote run`. Movable, not copyable; for one thread at a time. What it was moved from may be
/// destroyed and assigned to; all else throws std::logic_error there. A child made by fork may go
/// on with it in one thread, unless it is on a GPU: then all but its end is a SystemError.
class MOTE_API Simulation {
 public:
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  /// Takes whole steps; returns how many: fewer when `stop` says so or a hook of the scene ends the
  /// run (`ended`). Throws UnhealthyError.
  std::uint64_t step(std::uint64_t steps = 1, const StopWish& stop = {});
  /// Steps until the first step at or past a time. Steps are never shortened. Does nothing when
  /// that time has come.
  std::uint64_t run_until(double time, const StopWish& stop = {});
  /// The same with a unit, "10 Myr", in scenes that have units.
  std::uint64_t run_until(const std::string& time, const StopWish& stop = {});
  /// Steps until the end that the scene says (`stop`); InputError when it says none.
  std::uint64_t run(const StopWish& stop = {});
  /// Why a hook of the scene ended the run, or "". Stepping on clears it.
  const std::string& ended() const;
  /// What its user should know, or "": that the energy is off by more than a tenth
  /// (Measurement::energy_drift) though nothing in the scene changes it. Looked at by measure(),
  /// and in steps where it costs little: `warning` in run.json.
  const std::string& warning() const;

  double time() const;
  double dt() const;
  std::uint64_t step_count() const;    ///< since the start
  std::uint64_t interactions() const;  ///< directed, of all steps
  std::size_t count() const;           ///< bodies
  std::string backend() const;         ///< cpu or cuda
  std::string precision() const;       ///< single, mixed or double
  std::string title() const;
  std::string units() const;       ///< name of the unit system
  std::string scene_json() const;  ///< the scene in full, with every default
  /// Lines that say what was chosen and why: backend, precision, ...
  const std::vector<std::string>& reasons() const;

  Measurement measure();
  /// 16 hexadecimal digits over the state: `state_hash` in run.json.
  std::string hash();

  /// A column in host memory. On the cpu backend that is the state itself, and steps change what
  /// the pointer leads to; on cuda it is a mirror, brought up to date by each call of this. The
  /// pointer stays valid as long as the simulation, unless `bodies_may_change`: then until the next
  /// step.
  Array array(Column column);
  /// A column in the memory of the GPU; the same pointer for all steps, with the same exception.
  /// InputError on the cpu backend.
  Array device_array(Column column);
  /// Whether hooks of the scene may add and take away bodies between steps, and with that move
  /// columns.
  bool bodies_may_change() const;

  /// array(), typed. `Real` is float in single precision, else double; std::uint32_t for ids.
  /// InputError for another.
  template <class Real>
  std::span<const Real> view(Column column) {
    static_assert(std::is_same_v<Real, float> || std::is_same_v<Real, double> ||
                  std::is_same_v<Real, std::uint32_t>);
    const Array a = array(column);
    expect_type(a, std::is_same_v<Real, std::uint32_t> ? 'u' : 'f', sizeof(Real));
    return {static_cast<const Real*>(a.data), a.count};
  }
  /// Copies, in double whatever the precision. Three numbers a body for positions, velocities and
  /// accelerations.
  std::vector<double> masses();
  std::vector<double> positions();
  std::vector<double> velocities();
  std::vector<double> accelerations();
  /// Name of the body with this id; "" when it has none.
  std::string name(std::uint32_t id) const;

  /// Changes a live parameter between steps: "gravity.softening", "integrator.dt". What energy that
  /// brings is no error.
  void set(const std::string& path, double value);
  /// Those that can be changed, and their values.
  std::map<std::string, double> live() const;

  /// Writes all that is needed to go on: an HDF5 file, which readers of Gadget snapshots open too.
  void checkpoint(const std::string& path);

  /// Draws the bodies as the scene says, as `mote run --picture`; without a display. 16 to 16384
  /// pixels each way.
  Picture render(int width = 1280, int height = 720);

  struct Parts;
  explicit Simulation(std::unique_ptr<Parts> parts);

 private:
  static void expect_type(const Array& array, char kind, std::size_t bytes);
  Parts& parts() const;
  std::unique_ptr<Parts> parts_;
};

/// Opens a scene: a file, or the name of one that comes with mote ("plummer").
MOTE_API Simulation load(const std::string& scene, const Settings& settings = {},
                         const Options& options = {});
/// Opens the text of a scene. `name` stands in messages; its ending says the language, .lua or
/// .json, and its folder is where the scene may read files.
MOTE_API Simulation load_text(const std::string& text, const std::string& name = "scene.lua",
                              const Settings& settings = {}, const Options& options = {});
/// Bodies from memory. `scene`: everything but `bodies`, in JSON: R"({"gravity": {"softening":
/// 0.01}, "integrator": {"dt": 1e-3}})". Without "gravity" there is none. In double precision,
/// however many bodies there are, unless the scene or `options` say otherwise.
MOTE_API Simulation from_arrays(const Bodies& bodies, const std::string& scene,
                                const Options& options = {});
/// Goes on from a checkpoint, or from the last one in the folder of a run: on the same machine and
/// backend bit for bit as if there had been no stop.
MOTE_API Simulation resume(const std::string& checkpoint, const Options& options = {});

/// Names of the scenes that come with mote.
MOTE_API std::vector<std::string> scenes();
/// "0.1.0"
MOTE_API std::string version();

}  // namespace mote

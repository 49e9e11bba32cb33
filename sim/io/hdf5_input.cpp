#include "sim/io/hdf5_input.h"

#include <cerrno>
#include <fstream>
#include <initializer_list>
#include <system_error>

#include "engine/machine.h"
#include "engine/text.h"
#include "sim/io/file_keys.h"

namespace mote::sim::hdf5 {

Input::Input(const std::filesystem::path& path, const std::string& location)
    : path_(path.string()), limits_(engine::read_limits(path)) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    throw engine::InputError(
        location, location == path_ ? "no such file" : "no such file: " + path_, "check the path");
  // Checked first: opening a pipe would block.
  const bool is_file = std::filesystem::is_regular_file(path, unknown);
  errno = 0;
  if (!is_file || !std::ifstream(path)) {
    const std::string why =
        is_file ? "cannot be read: " + std::generic_category().message(errno) : "is not a file";
    throw engine::InputError(location, location == path_ ? why : path_ + " " + why,
                             "check the path and its permissions");
  }
  engine::Unpacker all = request(
      engine::Packer().text("open").text(std::filesystem::absolute(path, unknown).string()));
  limits_.seconds = 0;  // the limit set by the first request is for the entire file
  for (auto count = all.number<std::uint64_t>(); count > 0; --count) names_.insert(all.text());
  for (auto count = all.number<std::uint64_t>(); count > 0; --count) {
    Attribute& one = attributes_[all.text()];
    one.numbers = all.list<double>();
    one.integer = all.number<std::uint64_t>();
    for (auto texts = all.number<std::uint64_t>(); texts > 0; --texts)
      one.texts.push_back(all.text());
  }
}

engine::Unpacker Input::request(const engine::Packer& request) const {
  return session_.call(path_, request.bytes(), limits_);
}

const Input::Attribute* Input::attribute(const char* group, const char* name) const {
  const auto found = attributes_.find(std::string(group) + "/" + name);
  return found == attributes_.end() ? nullptr : &found->second;
}

std::vector<double> Input::numbers(const char* group, const char* name) const {
  const Attribute* found = attribute(group, name);
  return found ? found->numbers : std::vector<double>();
}

double Input::number(const char* group, const char* name, double otherwise) const {
  const Attribute* found = attribute(group, name);
  return found && !found->numbers.empty() ? found->numbers[0] : otherwise;
}

std::uint64_t Input::whole_number(const char* group, const char* name) const {
  const Attribute* found = attribute(group, name);
  return found ? found->integer : 0;
}

std::vector<std::string> Input::texts(const char* group, const char* name) const {
  const Attribute* found = attribute(group, name);
  return found ? found->texts : std::vector<std::string>();
}

std::string Input::text(const char* group, const char* name) const {
  const Attribute* found = attribute(group, name);
  return found && !found->texts.empty() ? found->texts[0] : "";
}

namespace {

void expect_dataset(const Input& in, const std::string& name) {
  if (!in.has(name)) in.fail("there is no dataset " + name);
}

}  // namespace

std::uint64_t rows_of(const Input& in, const std::string& name) {
  expect_dataset(in, name);
  return in.request(engine::Packer().text("rows").text(name)).number<std::uint64_t>();
}

std::size_t expect_rows(const Input& in, const std::string& name, std::uint64_t rows,
                        std::uint64_t columns) {
  expect_dataset(in, name);
  return in.request(engine::Packer().text("columns").text(name).number(rows).number(columns))
      .number<std::uint64_t>();
}

std::vector<double> read_block_of(const Input& in, const std::string& name, std::uint64_t first,
                                  std::uint64_t rows, std::uint64_t columns) {
  std::vector<double> block =
      in.request(
            engine::Packer().text("block").text(name).number(first).number(rows).number(columns))
          .list<double>();
  if (block.size() != rows * columns) in.fail(name + " is truncated");
  for (std::size_t i = 0; i < block.size(); ++i)
    if (!std::isfinite(block[i]))
      in.fail(
          fmt::format("{}: row {} holds a number that is not finite", name, first + i / columns));
  return block;
}

std::string read_text(const Input& in, const std::string& name) {
  return in.request(engine::Packer().text("text").text(name)).text();
}

namespace {

/// Groups where programs put attributes of the whole snapshot.
constexpr const char* attribute_groups[] = {"Header", "Parameters", "Cosmology", "Units"};

/// Refuses a snapshot with an attribute under which its numbers mean something else.
void refuse_other_meanings(const Input& in) {
  for (const FileKey& key : hdf5_attribute_keys())
    for (const char* group : attribute_groups) {
      if (key.use != KeyUse::refused) continue;
      const std::string name(key.name);
      for (const double value : in.numbers(group, name.c_str())) {
        if (name == "HubbleParam" ? value == 0 || value == 1
                                  : value == (name == "Dimension" ? 3 : 0))
          continue;
        in.fail(
            fmt::format("{}/{} is {}: {}", group, name, engine::number_text(value), key.meaning),
            name == "HubbleParam" ? "divide lengths and masses by it, and set it to 1"
            : name == "Dimension"
                ? "mote computes in three dimensions"
                : "mote has no expansion; convert comoving to physical quantities and set the "
                  "attribute to 0");
      }
    }
}

}  // namespace

std::vector<std::uint64_t> read_counts(const Input& in) {
  if (!in.has("Header"))
    in.fail("there is no group Header", "mote reads the HDF5 format of Gadget");
  const double files = in.number("Header", "NumFilesPerSnapshot", 1);
  if (files > 1)
    in.fail(fmt::format("this is one of the {} files of a snapshot", files),
            "join them into one file first");
  refuse_other_meanings(in);
  std::vector<std::uint64_t> counts;
  double sum = 0;
  for (const double n : in.numbers("Header", "NumPart_ThisFile")) {
    if (!(n >= 0 && n <= std::numeric_limits<std::uint32_t>::max()))
      in.fail(fmt::format("Header/NumPart_ThisFile holds {}", n),
              "a file may hold up to 2^32 - 1 bodies of a type");
    counts.push_back(static_cast<std::uint64_t>(n));
    sum += n;
  }
  if (counts.empty()) in.fail("Header has no attribute NumPart_ThisFile");
  const auto bytes = sum * (sizeof(double) + 2 * sizeof(engine::Vec3d));
  static const std::uint64_t memory = engine::machine_info().memory;
  if (bytes > static_cast<double>(memory))
    in.fail(fmt::format("its {:.0f} bodies need {}, but this machine has {}", sum,
                        engine::bytes_text(bytes),
                        engine::bytes_text(static_cast<double>(memory))));
  return counts;
}

std::optional<double> file_unit(const Input& in, FileUnit unit) {
  const auto first = [&](std::initializer_list<const char*> names) -> std::optional<double> {
    for (const char* group : {"Units", "Header", "Parameters"})
      for (const char* name : names)
        if (const auto values = in.numbers(group, name); !values.empty()) return values[0];
    return std::nullopt;
  };
  constexpr const char* swift_length = "Unit length in cgs (U_L)";
  switch (unit) {
    case FileUnit::length:
      return first({"UnitLength_in_cm", "UnitLength_In_CGS", swift_length});
    case FileUnit::mass:
      return first({"UnitMass_in_g", "UnitMass_In_CGS", "Unit mass in cgs (U_M)"});
    case FileUnit::velocity:
      break;
  }
  if (const auto velocity = first({"UnitVelocity_in_cm_per_s", "UnitVelocity_In_CGS"}))
    return velocity;
  const auto length = first({swift_length}), time = first({"Unit time in cgs (U_t)"});
  return length && time ? std::optional(*length / *time) : std::nullopt;
}

namespace {

void read_vectors(const Input& in, const std::string& name, std::uint64_t rows,
                  std::vector<engine::Vec3d>& to) {
  read_rows(in, name, rows, 3, [&](std::uint64_t, const double* row) {
    to.push_back({row[0], row[1], row[2]});
  });
}

void read_masses(const Input& in, const std::string& group, std::uint64_t rows, double table,
                 std::vector<double>& to, ColumnChoice* present) {
  const std::string name = group + "/Masses";
  if (!in.has(name)) {
    if (!(table > 0) && rows > 0 && present != nullptr) present->mass = false;
    if (!(table > 0) && present == nullptr)
      in.fail("there is no dataset " + name + " and Header/MassTable has no mass for " + group);
    to.insert(to.end(), rows, table > 0 ? table : 0);
    return;
  }
  read_rows(in, name, rows, 1, [&](std::uint64_t row, const double* mass) {
    if (*mass < 0)
      in.fail(fmt::format("{}: row {} holds a negative mass, {}", name, row,
                          engine::number_text(*mass)));
    to.push_back(*mass);
  });
}

}  // namespace

Bodies read_bodies(const Input& in, const std::vector<std::uint64_t>& counts,
                   ColumnChoice* present) {
  std::vector<double> table = in.numbers("Header", "MassTable");
  table.resize(std::max(table.size(), counts.size()));

  Bodies bodies;
  for (std::size_t type = 0; type < counts.size(); ++type) {
    const std::string group = fmt::format("PartType{}", type);
    if (!in.has(group)) {
      if (counts[type] > 0)
        in.fail(
            fmt::format("Header announces {} bodies in {}, which is missing", counts[type], group));
      continue;
    }
    if (counts[type] == 0 && !in.has(group + "/Coordinates")) continue;
    read_vectors(in, group + "/Coordinates", counts[type], bodies.position);
    if (present != nullptr && counts[type] > 0 && !in.has(group + "/Velocities")) {
      present->velocity = false;
      bodies.velocity.resize(bodies.position.size());
    } else {
      read_vectors(in, group + "/Velocities", counts[type], bodies.velocity);
    }
    read_masses(in, group, counts[type], table[type], bodies.mass, present);
  }
  return bodies;
}

}  // namespace mote::sim::hdf5

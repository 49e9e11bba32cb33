#include "sim/io/file_keys.h"

#include <algorithm>

namespace mote::sim {
namespace {

using enum KeyUse;

constexpr std::string_view why_comoving = "the quantities are comoving",
                           why_h = "lengths and masses are in units of 1/h",
                           why_follows = "follows from the bodies",
                           why_law = "mote computes it, by its own law",
                           why_drawn = "how it is drawn", why_counted = "counted from the datasets";

constexpr FileKey xyz_columns[] = {
    {"pos", used, "position"},
    {"position", used, "position"},
    {"positions", used, "position"},
    {"vel", used, "velocity"},
    {"velo", used, "velocity"},
    {"velocity", used, "velocity"},
    {"velocities", used, "velocity"},
    {"momentum", used, "velocity = momentum / mass"},
    {"momenta", used, "velocity = momentum / mass"},
    {"mass", used, "mass"},
    {"masses", used, "mass"},
    {"species", used, "species of the scene"},
    {"element", used, "species of the scene"},
    {"type", used, "species of the scene"},
    {"id", used, "bodies come in the order of their ids"},
    {"ids", used, "bodies come in the order of their ids"},
    {"image", used, "how many boxes a position is away from the box"},
    {"images", used, "how many boxes a position is away from the box"},
    {"move_mask", used, "F is refused: the body is held, which is `fixed` in a scene"},
    {"scaled_positions", refused, "positions are in units of the box"},
    {"pos_frac", refused, "positions are in units of the box"},
    {"x", refused, "a vector is one column of three, pos:R:3"},
    {"y", refused, "a vector is one column of three, pos:R:3"},
    {"v", refused, "it may be a speed or a velocity, velo:R:3"},
    {"vx", refused, "a vector is one column of three, velo:R:3"},
    {"vy", refused, "a vector is one column of three, velo:R:3"},
    {"vz", refused, "a vector is one column of three, velo:R:3"},
    {"p", refused, "it may be a momentum or a pressure, momenta:R:3"},
    {"px", refused, "a vector is one column of three, momenta:R:3"},
    {"py", refused, "a vector is one column of three, momenta:R:3"},
    {"pz", refused, "a vector is one column of three, momenta:R:3"},
    {"angular_velocity", refused, "spins are not read"},
    {"omega", refused, "spins are not read"},
    {"angular_momentum", refused, "spins are not read"},
    {"map_shift", refused, "positions are in another image of the box: write unwrapped ones"},
    {"z", ignored, "atomic number, follows from the species"},
    {"numbers", ignored, "atomic number, follows from the species"},
    {"force", ignored, why_law},
    {"forces", ignored, why_law},
    {"acceleration", ignored, why_law},
    {"energy", ignored, why_law},
    {"energies", ignored, why_law},
    {"local_energy", ignored, why_law},
    {"potential", ignored, why_law},
    {"stress", ignored, why_law},
    {"stresses", ignored, why_law},
    {"virial", ignored, why_law},
    {"virials", ignored, why_law},
    {"charge", ignored, "charges belong to the species of the scene"},
    {"charges", ignored, "charges belong to the species of the scene"},
    {"initial_charges", ignored, "charges belong to the species of the scene"},
    {"magmom", ignored, "no force of mote depends on it"},
    {"magmoms", ignored, "no force of mote depends on it"},
    {"initial_magmoms", ignored, "no force of mote depends on it"},
    {"dipoles", ignored, "no force of mote depends on it"},
    {"tags", ignored, "a label"},
    {"selection", ignored, "a label"},
    {"structure_type", ignored, "a label"},
    {"molecule", ignored, "a label"},
    {"mol", ignored, "a label"},
    {"color", ignored, why_drawn},
    {"transparency", ignored, why_drawn},
    {"radius", ignored, why_drawn}};

constexpr FileKey xyz_comments[] = {
    {"properties", used, "the columns"},
    {"lattice", used, "the box, of `domain = { file = ... }` and of images"},
    {"origin", used, "its lower corner"},
    {"pbc", used, "an axis that is F is open, unless the domain of the scene says otherwise"},
    {"units", used, "refused unless it is the unit system of the scene"},
    {"time", ignored, "runs begin at 0"},
    {"step", ignored, "runs begin at 0"},
    {"timestep", ignored, "runs begin at 0"},
    {"title", ignored, "a label"},
    {"name", ignored, "a label"},
    {"config_type", ignored, "a label"},
    {"comment", ignored, "a label"},
    {"energy", ignored, why_law},
    {"free_energy", ignored, why_law},
    {"stress", ignored, why_law},
    {"virial", ignored, why_law},
    {"dipole", ignored, why_law},
    {"magmom", ignored, why_law},
    {"charge", ignored, why_law},
    {"temperature", ignored, why_follows},
    {"pressure", ignored, why_law}};

constexpr FileKey hdf5_attributes[] = {
    {"NumPart_ThisFile", used, "number of bodies of each type"},
    {"MassTable", used, "mass of the bodies of a type without Masses"},
    {"NumFilesPerSnapshot", used, "more than 1 is refused: a part of a snapshot"},
    {"UnitLength_in_cm", used, "refused unless it is that of the scene's units"},
    {"UnitMass_in_g", used, "refused unless it is that of the scene's units"},
    {"UnitVelocity_in_cm_per_s", used, "refused unless it is that of the scene's units"},
    {"UnitLength_In_CGS", used, "as UnitLength_in_cm (GIZMO)"},
    {"UnitMass_In_CGS", used, "as UnitMass_in_g (GIZMO)"},
    {"UnitVelocity_In_CGS", used, "as UnitVelocity_in_cm_per_s (GIZMO)"},
    {"Unit length in cgs (U_L)", used, "as UnitLength_in_cm (SWIFT)"},
    {"Unit mass in cgs (U_M)", used, "as UnitMass_in_g (SWIFT)"},
    {"Unit time in cgs (U_t)", used, "with the unit of length: of velocity (SWIFT)"},
    {"OmegaLambda", refused, why_comoving},
    {"Omega_Lambda", refused, why_comoving},
    {"Omega_lambda", refused, why_comoving},
    {"ComovingIntegrationOn", refused, why_comoving},
    {"Cosmological run", refused, why_comoving},
    {"Redshift", refused, why_comoving},
    {"HubbleParam", refused, why_h},
    {"Dimension", refused, "bodies live in fewer than three dimensions"},
    {"NumPart_Total", ignored, why_counted},
    {"NumPart_Total_HighWord", ignored, why_counted},
    {"Time", ignored, "runs begin at 0"},
    {"BoxSize", ignored, "the domain of the scene decides; without one, space is open"},
    {"Omega0", ignored, "without a cosmological constant or a redshift the run is not comoving"},
    {"Omega_Matter", ignored,
     "without a cosmological constant or a redshift the run is not comoving"},
    {"OmegaBaryon", ignored,
     "without a cosmological constant or a redshift the run is not comoving"},
    {"Flag_Sfr", ignored, why_law},
    {"Flag_Cooling", ignored, why_law},
    {"Flag_Feedback", ignored, why_law},
    {"Flag_DoublePrecision", ignored, "datasets say it themselves"},
    {"Gravitational_Constant_In_Code_Inits", ignored, "follows from the units"}};

constexpr FileKey hdf5_datasets[] = {
    {"Coordinates", used, "position"},
    {"Velocities", used, "velocity"},
    {"Masses", used, "mass"},
    {"ParticleIDs", used, "bodies come in the order of their ids, unless two have the same"},
    {"Softening", ignored, "the scene has one for all"},
    {"InternalEnergy", ignored, "gas is read as bodies that only feel forces of the scene"},
    {"Density", ignored, why_follows},
    {"SmoothingLength", ignored, why_follows},
    {"Potential", ignored, why_law},
    {"Acceleration", ignored, why_law},
    {"Metallicity", ignored, "no force of mote depends on it"},
    {"StellarFormationTime", ignored, "no force of mote depends on it"}};

constexpr FileKey csv_columns[] = {{"mass", used, "mass"},
                                   {"x", used, "position"},
                                   {"y", used, "position"},
                                   {"z", used, "position"},
                                   {"vx", used, "velocity"},
                                   {"vy", used, "velocity"},
                                   {"vz", used, "velocity"},
                                   {"name", used, "name of the body"},
                                   {"id", used, "bodies come in the order of their ids"},
                                   {"species", ignored, "the scene determines it"},
                                   {"acceleration_x", ignored, why_law},
                                   {"acceleration_y", ignored, why_law},
                                   {"acceleration_z", ignored, why_law},
                                   {"potential", ignored, why_law}};

constexpr FileKeys all[] = {{"xyz", "column", xyz_columns},
                            {"xyz", "comment", xyz_comments},
                            {"gadget", "attribute", hdf5_attributes},
                            {"gadget", "dataset", hdf5_datasets},
                            {"csv", "column", csv_columns}};

}  // namespace

std::span<const FileKeys> file_keys() {
  return all;
}
std::span<const FileKey> xyz_column_keys() {
  return xyz_columns;
}
std::span<const FileKey> xyz_comment_keys() {
  return xyz_comments;
}
std::span<const FileKey> hdf5_attribute_keys() {
  return hdf5_attributes;
}

std::span<const FileKey> csv_column_keys() {
  return csv_columns;
}

const FileKey* key_named(std::span<const FileKey> keys, std::string_view name) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const FileKey& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

}  // namespace mote::sim

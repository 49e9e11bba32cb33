// Every key of the tables of files that other programs wrote, in a file.
#include "sim/io/file_keys.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/check.h"
#include "engine/files.h"
#include "sim/io/csv.h"
#include "sim/io/snapshot.h"
#include "sim/io/xyz_read.h"
#include "tests/sim/io/foreign_snapshot.h"
#include "tests/sim/io/units_named.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using test::message_of;

/// The table of a part of a format as docs/files.md shows it: keys of the same use and meaning that
/// follow each other are in one row.
std::string documented(const FileKeys& all) {
  const std::map<KeyUse, std::string> uses{
      {KeyUse::used, "used"}, {KeyUse::refused, "**refused**"}, {KeyUse::ignored, "ignored"}};
  std::string text = "| " + std::string(all.format) + ": " + std::string(all.part) +
                     " | | meaning, or reason |\n|---|---|---|\n";
  for (std::size_t k = 0; k < all.keys.size();) {
    const FileKey& first = all.keys[k];
    text += "| ";
    for (std::size_t row = k; k < all.keys.size() && all.keys[k].use == first.use &&
                              all.keys[k].meaning == first.meaning;
         ++k)
      text += (k > row ? ", `" : "`") + std::string(all.keys[k].name) + "`";
    text += " | " + uses.at(first.use) + " | " + std::string(first.meaning) + " |\n";
  }
  return text;
}

class KeysOfFiles : public ::testing::Test {
 protected:
  std::string refusal_of_xyz(const std::string& text) const {
    const engine::UnitSystem& own = units("nbody");
    return message_of<engine::InputError>(
        [&] { read_bodies_xyz(folder_.file("a.xyz", text), {.units = &own}, "a.lua:1"); });
  }
  std::string refusal_of_csv(const std::string& text) const {
    return message_of<engine::InputError>(
        [&] { read_bodies_csv(folder_.file("a.csv", text), units("nbody"), "a.lua:1"); });
  }
  test::TemporaryFolder folder_;
};

TEST_F(KeysOfFiles, AreThoseOfTheDocs) {
  const std::string docs = engine::read_file(test::source_dir() + "/docs/files.md");
  for (const FileKeys& all : file_keys())
    EXPECT_NE(docs.find(documented(all)), docs.npos) << "docs/files.md needs\n" << documented(all);
}

TEST_F(KeysOfFiles, OfXyzDoAsTheirTableSays) {
  for (const FileKey& key : xyz_column_keys()) {
    const std::string name(key.name);
    const bool position = name.starts_with("pos"), whole = name.starts_with("image"),
               one = name.starts_with("mass") || name.starts_with("id") || name == "species" ||
                     name == "element" || name == "type";
    std::string head = "1\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=", row;
    if (!position || key.use == KeyUse::refused) head += "pos:R:3:", row = "1 2 3 ";
    head += name + (name == "move_mask" ? ":L:1" : one || whole ? one ? ":I:1" : ":I:3" : ":R:3");
    row += name == "move_mask" ? "T" : one ? "5" : "0 0 0";
    const std::string refusal = refusal_of_xyz(head + "\n" + row + "\n");
    EXPECT_EQ(refusal.find("the column " + name + " is refused: ") != refusal.npos,
              key.use == KeyUse::refused)
        << name << ": " << refusal;
    EXPECT_EQ(refusal.empty(), key.use != KeyUse::refused) << name << ": " << refusal;
  }
  for (const FileKey& key : xyz_comment_keys()) {
    if (key.use != KeyUse::ignored) continue;
    EXPECT_EQ(refusal_of_xyz("1\n" + std::string(key.name) + "=2\nA 1 2 3\n"), "") << key.name;
  }
}

TEST_F(KeysOfFiles, OfGadgetDoAsTheirTableSays) {
  const std::filesystem::path path = folder_ / "a.h5";
  for (const char* group : {"Header", "Parameters", "Cosmology", "Units"})
    for (const FileKey& key : hdf5_attribute_keys()) {
      if (key.use == KeyUse::used) continue;
      {
        Foreign file(path);
        file.header({1}, {1}).body("PartType0", 1);
        if (group != std::string("Header")) file.group(group);
        file.attribute(group, std::string(key.name).c_str(), {2});
      }
      const std::string refusal =
          message_of<engine::InputError>([&] { read_snapshot(path, nullptr, "a.lua:1"); });
      EXPECT_EQ(refusal.empty(), key.use == KeyUse::ignored) << key.name << ": " << refusal;
      if (key.use == KeyUse::refused) {
        EXPECT_NE(refusal.find(std::string(group) + "/" + std::string(key.name) + " is 2: "),
                  refusal.npos)
            << refusal;
      }
    }
}

TEST_F(KeysOfFiles, OfCsvDoAsTheirTableSays) {
  for (const FileKey& key : csv_column_keys()) {
    const std::string name(key.name);
    std::string header = "mass,x,y,z,vx,vy,vz", row = "1,2,3,4,5,6,7";
    if (("," + header + ",").find("," + name + ",") == header.npos)
      header += "," + name, row += ",8";
    EXPECT_EQ(refusal_of_csv(header + "\n" + row + "\n"), "") << name;
  }
}

}  // namespace
}  // namespace mote::sim

#include "render/gl/shader.h"

#include "engine/files.h"
#include "render/shader_folder.h"
#include "tests/render/gl_test.h"
#include "tests/support/temporary_folder.h"

namespace mote::render {
namespace {

using test::Environment;
using test::TemporaryFolder;

class Shader : public GlTest {};

template <typename Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const engine::SystemError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(Shader, ErrorsNameTheFileAndCarryTheDriversLog) {
  const TemporaryFolder folder;
  engine::write_file(folder.path() / "broken.frag",
                     "#version 450 core\nvoid main() { no_such_function(); }\n");
  const std::string error = error_of([&] { load_program(folder.path(), {"broken.frag"}); });
  EXPECT_NE(error.find("broken.frag"), std::string::npos) << error;
  EXPECT_NE(error.find("no_such_function"), std::string::npos) << error;
}

TEST_F(Shader, StagesThatDoNotFitAreALinkError) {
  const TemporaryFolder folder;
  engine::write_file(folder.path() / "a.vert",
                     "#version 450 core\nvoid main() { gl_Position = vec4(0); }\n");
  engine::write_file(
      folder.path() / "b.frag",
      "#version 450 core\nin vec3 missing; out vec4 c; void main() { c = vec4(missing, 1); }\n");
  const std::string error = error_of([&] { load_program(folder.path(), {"a.vert", "b.frag"}); });
  EXPECT_NE(error.find("a.vert, b.frag"), std::string::npos) << error;
}

TEST_F(Shader, MissingFileIsNamed) {
  const TemporaryFolder folder;
  const std::string error = error_of([&] { load_program(folder.path(), {"absent.vert"}); });
  EXPECT_NE(error.find("absent.vert"), std::string::npos) << error;
}

TEST(FindShaders, FindsTheSourceTree) {
  const Environment none("MOTE_SHADERS", "");
  EXPECT_TRUE(std::filesystem::exists(find_shaders() / "points.vert"));
}

TEST(FindShaders, EnvironmentWins) {
  const TemporaryFolder folder;
  engine::write_file(folder.path() / "points.vert", "");
  const Environment shaders("MOTE_SHADERS", folder.path().string());
  EXPECT_EQ(find_shaders(), folder.path());
}

TEST(FindShaders, AnEnvironmentWithoutShadersIsAnErrorAndNotPassedOver) {
  const Environment shaders("MOTE_SHADERS", "/nowhere/at/all");
  const std::string error = error_of([] { find_shaders(); });
  EXPECT_NE(error.find("/nowhere/at/all"), std::string::npos) << error;
}

}  // namespace
}  // namespace mote::render

// A host program with its own versions of libraries that mote contains: another Lua (LuaJIT, if
// installed), and functions of HDF5, zlib and GLEW. Neither may call the other's.
#include <gtest/gtest.h>
#ifdef MOTE_HOST_LUAJIT
#include <lua.hpp>
#endif

#include <stdexcept>
#include <string>

#include "api/mote.h"
#include "tests/support/temporary_folder.h"

namespace {
int calls = 0;  ///< of the functions below
}

// The linker exports these (ENABLE_EXPORTS), so a library that resolves such names dynamically gets
// these.
extern "C" {
#define MOTE_HOST_FUNCTION(name) \
  int name() {                   \
    ++calls;                     \
    return -1;                   \
  }
MOTE_HOST_FUNCTION(H5open)
MOTE_HOST_FUNCTION(H5check_version)
MOTE_HOST_FUNCTION(H5Fopen)
MOTE_HOST_FUNCTION(H5Fcreate)
MOTE_HOST_FUNCTION(H5Dwrite)
MOTE_HOST_FUNCTION(deflateInit_)
MOTE_HOST_FUNCTION(deflateInit2_)
MOTE_HOST_FUNCTION(crc32)
MOTE_HOST_FUNCTION(glewInit)
}

namespace mote::test {
namespace {

const Options on_cpu{.backend = "cpu", .precision = "double"};

Simulation plummer() {
  return load("plummer", {{"n", "64"}}, on_cpu);
}

TEST(Host, IsNotCalledByTheLibrary) {
  const TemporaryFolder folder;
  const std::string file = (folder / "half.h5").string();
  calls = 0;
  Simulation sim = plummer();
  sim.step(2);
  sim.checkpoint(file);
  Simulation again = resume(file, on_cpu);
  EXPECT_EQ(again.hash(), sim.hash());
  EXPECT_NE(message_of<InputError>([] {
              load_text("return { gravity = {", "a.lua");
            }).find("is never closed"),
            std::string::npos);
  const std::string fails =
      "local function f(n) if n == 0 then error('too deep') end f(n - 1) end return f(9)";
  EXPECT_NE(message_of<InputError>([&] { load_text(fails, "a.lua"); }).find("too deep"),
            std::string::npos);
  try {
    sim.render(64, 48);
  } catch (const SystemError&) {  // no OpenGL here
  } catch (const InputError&) {   // not built in
  }
  EXPECT_EQ(calls, 0);
}

#ifdef MOTE_HOST_LUAJIT
TEST(Host, UsesItsOwnLuaBetweenStepsOfMote) {
  lua_State* const own = luaL_newstate();
  ASSERT_NE(own, nullptr);
  luaL_openlibs(own);
  const auto value = [&] {
    EXPECT_EQ(luaL_dostring(own, "return jit.version_num"), 0);
    const auto number = lua_tonumber(own, -1);
    lua_pop(own, 1);
    return number;
  };
  EXPECT_GE(value(), 20000);
  Simulation sim = plummer();
  sim.step(2);
  EXPECT_GE(value(), 20000);
  sim.step(1);
  EXPECT_EQ(luaL_dostring(own, "error('its own')"), 1);
  lua_close(own);
  EXPECT_EQ(sim.step_count(), 3u);
}
#endif

}  // namespace
}  // namespace mote::test

# Everything comes from the distribution; script/run installs it. Nothing is vendored or downloaded.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# xsimd by its headers alone: its CMake target would add compiler flags for one instruction set to everything.
find_path(XSIMD_INCLUDE_DIR xsimd/xsimd.hpp REQUIRED)
add_library(mote_xsimd INTERFACE)
target_include_directories(mote_xsimd SYSTEM INTERFACE ${XSIMD_INCLUDE_DIR})

# Lua built as C++, so that its errors are exceptions and destructors run.
pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.4-c++)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
find_package(ZLIB REQUIRED)
# Meshes of triangles out of files.
pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET assimp)

if(MOTE_RENDER)
  find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)
  find_package(GLEW REQUIRED)
  find_package(glm REQUIRED)
  pkg_check_modules(STB REQUIRED IMPORTED_TARGET stb)
  pkg_check_modules(GLFW REQUIRED IMPORTED_TARGET glfw3)
  # Dear ImGui draws its letters with FreeType; its own way blurs small ones.
  pkg_check_modules(IMGUI REQUIRED IMPORTED_TARGET imgui)
  pkg_check_modules(FREETYPE REQUIRED IMPORTED_TARGET freetype2)
  # Plots in files.
  pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo)
endif()
if(MOTE_TESTS)
  find_package(GTest REQUIRED)
endif()
if(MOTE_BENCH)
  find_package(benchmark REQUIRED)
endif()

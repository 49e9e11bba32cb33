# Compiles through ccache where it is installed. Precompiled headers need the sloppiness settings. With paths relative to
# the build folder, a second one (of another configuration or another clone) finds what the first has compiled.
find_program(CCACHE_PROGRAM ccache)
if(MOTE_CCACHE AND CCACHE_PROGRAM)
  foreach(language CXX CUDA)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
    endif()
  endforeach()
endif()

# mote_flags: compiler flags of every target of this project, but not of dependencies.
add_library(mote_flags INTERFACE)

# -Wno-restrict, -Wno-stringop-overflow, -Wno-array-bounds, -Wno-maybe-uninitialized: false positives of GCC 12 inside its own
# std::string and std::variant (bugs 105651, 105329, 105562).

# -fno-tree-slp-vectorize: where two adjacent doubles are converted to float and back, GCC 12 at -O2 and above drops the
# rounding (x - double(float(x)) becomes 0), which loses the low parts of positions stored as two floats. Hot loops are
# vectorised by hand.

# No contraction of a*b+c: fused operations are written explicitly, so that all builds of the CPU backend agree bit for bit.
target_compile_options(mote_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                            -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized
                            -ffp-contract=off -fno-math-errno -fno-tree-slp-vectorize>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-ffp-contract=off,-fno-tree-slp-vectorize -fmad=false --expt-relaxed-constexpr>)
if(MOTE_WERROR)
  target_compile_options(mote_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

# Flags for files of hot loops, which are compiled once per instruction set. Sanitizers check memory accesses, which do not depend
# on the optimisation level; at -O3 instrumented loops take longer to compile than all their tests take to run.
set(MOTE_HOT_LOOPS -O3 -fno-trapping-math)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  # Like the rest of a debug build: precompiled headers of another optimisation level crash g++ 12 (internal error).
  set(MOTE_HOT_LOOPS -O1 -fno-trapping-math)
endif()
if(MOTE_SANITIZE)
  set(MOTE_HOT_LOOPS -O1 -fno-trapping-math)
  # The address sanitizer also detects null pointers and destroyed objects; checking each use with null and vptr would take a
  # quarter of the compile time.
  target_compile_options(mote_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${MOTE_SANITIZE}
    -fno-sanitize=null,vptr -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  target_link_options(mote_flags INTERFACE -fsanitize=${MOTE_SANITIZE})
endif()

# Code without hot loops: full optimisation takes a third to a half of its compile time, with no measurable effect on run time.
set(MOTE_COLD $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
if(MOTE_SANITIZE)
  set(MOTE_COLD -O0)
endif()

# mote_cold_folders(TARGET FOLDER...): compiles the files of TARGET in these folders of the source tree as cold code.
function(mote_cold_folders target)
  get_target_property(files ${target} SOURCES)
  foreach(file ${files})
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH folder)
    if(folder IN_LIST ARGN AND name MATCHES "\\.cpp$")
      set_property(SOURCE ${path} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS ${MOTE_COLD})
    endif()
  endforeach()
endfunction()

# mote_precompile(TARGET HEADER...): precompiles commonly used standard headers and the given ones, which take half of the compile
# time of a small file. Headers of the project are not among them, so that a missing include of one is always an error;
# MOTE_PRECOMPILE=OFF finds missing standard includes. Files for other instruction sets cannot use precompiled headers.
function(mote_precompile target)
  # Sanitizers: cold files are not optimised there, and a precompiled header has one level of optimisation.
  if(MOTE_PRECOMPILE AND NOT MOTE_SANITIZE)
    foreach(header algorithm array chrono cmath cstdint filesystem functional limits map memory numbers optional set span
        string string_view utility variant vector ${ARGN})
      target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
    endforeach()
  endif()
endfunction()

# Compiles through ccache where it is installed. Precompiled headers need the sloppiness settings. With paths relative to
# the build folder, a second one (of another configuration or another clone) finds what the first has compiled.
find_program(CCACHE_PROGRAM ccache)
if(MOTE_CCACHE AND CCACHE_PROGRAM)
  foreach(language CXX CUDA)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime,locale
        CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
    endif()
  endforeach()
endif()

# A fast linker, where one is installed: mold, or lld. Neither changes what is linked.
foreach(linker mold lld)
  find_program(MOTE_${linker} ld.${linker})
  if(MOTE_${linker} AND NOT MOTE_SANITIZE)
    add_link_options($<$<LINK_LANGUAGE:CXX>:-fuse-ld=${linker}>)
    break()
  endif()
endforeach()

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

# Levels of optimisation, one of which every target links: mote_loops for files of hot loops, which are compiled once per
# instruction set; mote_hot; and mote_cold for code without a loop over bodies, where full optimisation takes a third to a half of
# the compile time with no measurable effect on run time.
string(REGEX REPLACE "-O[0-9s]" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
foreach(level loops hot cold)
  add_library(mote_${level} INTERFACE)
endforeach()
target_compile_options(mote_loops INTERFACE -fno-trapping-math)
if(MOTE_SANITIZE)
  # Sanitizers check memory accesses, which do not depend on the optimisation level; at -O3 instrumented loops take longer to
  # compile than all their tests take to run.
  target_compile_options(mote_cold INTERFACE -O0)
  # The address sanitizer also detects null pointers and destroyed objects; checking each use with null and vptr would take a
  # quarter of the compile time.
  target_compile_options(mote_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${MOTE_SANITIZE}
    -fno-sanitize=null,vptr -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  target_link_options(mote_flags INTERFACE -fsanitize=${MOTE_SANITIZE})
else()
  target_compile_options(mote_loops INTERFACE $<$<CONFIG:Release>:-O3>)
  target_compile_options(mote_hot INTERFACE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O3>)
  target_compile_options(mote_cold INTERFACE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
endif()

# mote_precompile(TARGET HEADER...): precompiles commonly used standard headers and the given ones, which take half of the compile
# time of a small file. Headers of the project are not among them, so that a missing include of one is always an error;
# MOTE_PRECOMPILE=OFF finds missing standard includes. Batches include them too seldom to gain by it.
function(mote_precompile target)
  if(MOTE_PRECOMPILE AND NOT MOTE_BATCHES)
    foreach(header algorithm array chrono cmath cstdint filesystem functional limits map memory numbers optional set span
        string string_view utility variant vector ${ARGN})
      target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
    endforeach()
  endif()
endfunction()

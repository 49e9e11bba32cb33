# What was compiled before, here or in another build folder, is not compiled again, where ccache is installed.
# Precompiled headers ask for the sloppiness.
find_program(CCACHE_PROGRAM ccache)
if(MOTE_CCACHE AND CCACHE_PROGRAM)
  foreach(language CXX CUDA)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
    endif()
  endforeach()
endif()

# mote_flags: how every target of this project is compiled. Nothing here leaks into dependencies.
add_library(mote_flags INTERFACE)

# -Wno-restrict, -Wno-stringop-overflow, -Wno-array-bounds, -Wno-maybe-uninitialized: GCC 12 warns about the insides of its own
# std::string and std::variant (bugs 105651, 105329, 105562).

# -fno-tree-slp-vectorize: where two neighbouring doubles go to float and back, GCC 12 at -O2 and above forgets the
# rounding (x - double(float(x)) becomes 0), and with it the low parts of positions of two floats. The loops that count
# are vectorised by hand.

# No contraction of a*b+c: what is fused is written as fma, so that every build of the CPU backend agrees.
target_compile_options(mote_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                            -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized
                            -ffp-contract=off -fno-math-errno -fno-tree-slp-vectorize>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-ffp-contract=off,-fno-tree-slp-vectorize -fmad=false --expt-relaxed-constexpr>)
if(MOTE_WERROR)
  target_compile_options(mote_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

# How the files of hot loops are compiled, one for each instruction set. Sanitizers look at what the loops read and write,
# which no optimisation changes; at -O3 instrumented loops take longer to compile than all tests of them to run.
set(MOTE_HOT_LOOPS -O3 -fno-trapping-math)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  # As the rest of such a build: with precompiled headers of another level of optimisation g++ 12 ends in an internal error.
  set(MOTE_HOT_LOOPS -O1 -fno-trapping-math)
endif()
if(MOTE_SANITIZE)
  set(MOTE_HOT_LOOPS -O1 -fno-trapping-math)
  # Pointers that are null or of destroyed objects stop the address sanitizer too; to check each use of one for itself takes
  # a quarter of the time to compile.
  target_compile_options(mote_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${MOTE_SANITIZE}
    -fno-sanitize=null,vptr -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  target_link_options(mote_flags INTERFACE -fsanitize=${MOTE_SANITIZE})
endif()

# Code without a hot loop: a third to a half of the time to compile it is optimisation that changes no time a user could measure.
set(MOTE_COLD $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
if(MOTE_SANITIZE)
  set(MOTE_COLD -O0)
endif()

# mote_cold_folders(TARGET FOLDER...): files of TARGET in these folders (below the source tree) are compiled as cold code.
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

# mote_precompile(TARGET HEADER...): parses the standard headers that most files include once a target, and these; half of the
# time to compile a small file is theirs. Headers of the project stay out, so that a missing include of one is an error
# everywhere; MOTE_PRECOMPILE=OFF finds missing includes of the others. Files for other instruction sets cannot use it.
function(mote_precompile target)
  if(MOTE_PRECOMPILE)
    foreach(header algorithm array chrono cmath cstdint filesystem functional limits map memory numbers optional set span
        string string_view utility variant vector ${ARGN})
      target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
    endforeach()
  endif()
endfunction()

# Libraries that are linked statically into libmote.so, with hidden symbols, so that they do not clash with those of the program
# that loads it and need not be installed at run time. Static archives of distributions are compiled for executables. They link
# into a shared library if all their symbols are hidden and the standard streams, the only data of libc that they use, are
# replaced by our own pointers (--wrap).
set(MOTE_INSIDE_OPTIONS LINKER:--version-script=${PROJECT_SOURCE_DIR}/api/mote.map
  LINKER:--wrap=stdin LINKER:--wrap=stdout LINKER:--wrap=stderr)

# mote_inside(TARGET SHARED LIBRARY [NEEDED...]): defines TARGET as the static archive next to the shared LIBRARY, plus NEEDED
# libraries, if the archive exists and links; otherwise as the target SHARED.
function(mote_inside target shared library)
  string(REGEX REPLACE "\\.so$" ".a" archive "${library}")
  add_library(${target} INTERFACE)
  set(checked MOTE_INSIDE_${target})
  if(NOT archive STREQUAL library AND EXISTS "${archive}" AND NOT DEFINED ${checked})
    try_compile(${checked} ${PROJECT_BINARY_DIR}/inside/${target} SOURCES ${PROJECT_SOURCE_DIR}/api/streams.cpp
      COMPILE_DEFINITIONS -fPIC LINK_OPTIONS -shared ${MOTE_INSIDE_OPTIONS}
      LINK_LIBRARIES -Wl,--whole-archive ${archive} -Wl,--no-whole-archive ${ARGN})
  endif()
  if(${checked})
    target_include_directories(${target} SYSTEM INTERFACE $<TARGET_PROPERTY:${shared},INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${target} INTERFACE ${archive} ${ARGN})
    target_link_options(${target} INTERFACE LINKER:--as-needed)  # its unused parts may be all that needs a library
    set(${target}_LIBRARY ${archive} PARENT_SCOPE)
    message(STATUS "Inside libmote.so: ${archive}")
  else()
    target_link_libraries(${target} INTERFACE ${shared})
    set(${target}_LIBRARY ${library} PARENT_SCOPE)
    message(STATUS "Beside libmote.so: ${library}")
  endif()
endfunction()

# The same for fmt and spdlog, for which distributions have headers but no archives: engine/fmt.cpp compiles fmt, and the only
# file that includes spdlog compiles that.
get_target_property(fmt_headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
try_compile(MOTE_INSIDE_fmt ${PROJECT_BINARY_DIR}/inside/fmt
  SOURCES ${PROJECT_SOURCE_DIR}/engine/fmt.cpp ${PROJECT_SOURCE_DIR}/cmake/use_fmt.cpp
  CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${fmt_headers} CXX_STANDARD 20)
add_library(mote_fmt INTERFACE)
add_library(mote_spdlog INTERFACE)
if(MOTE_INSIDE_fmt)
  target_include_directories(mote_fmt SYSTEM INTERFACE ${fmt_headers})
  target_include_directories(mote_spdlog SYSTEM INTERFACE $<TARGET_PROPERTY:spdlog::spdlog,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(mote_spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
  target_link_libraries(mote_spdlog INTERFACE Threads::Threads)
else()
  target_link_libraries(mote_fmt INTERFACE fmt::fmt)
  target_link_libraries(mote_spdlog INTERFACE spdlog::spdlog)
endif()

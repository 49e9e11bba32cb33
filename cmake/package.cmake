# Packages (script/package): a .deb for Debian and Ubuntu, for the system, and an archive for anywhere, which brings the
# libraries that a desktop may lack.
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME mote)
set(CPACK_PACKAGE_VENDOR mote)
set(CPACK_PACKAGE_CONTACT "the developers of mote <mote@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "particle-physics engine that you script, watch and measure")
set(CPACK_PACKAGE_DESCRIPTION "Gravity, external fields, molecules, fluids, grains and soft bodies, on the
CPU or an NVIDIA GPU. A scene is a short Lua file. The same file opens in a
window and runs headless; results are reproducible bit for bit.")
set(variant "")
if(MOTE_HAVE_CUDA)
  set(variant "-cuda")
endif()
set(CPACK_PACKAGE_FILE_NAME mote-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}${variant})
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)

# One package: program, library, headers and Python module are of one version and small.
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME mote${variant}_${PROJECT_VERSION}_amd64.deb)
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
endif()
set(CPACK_DEBIAN_PACKAGE_NAME mote)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/triggers)  # runs ldconfig for libmote.so
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, python3, python3-numpy, python3-pandas")

set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/bundle.cmake)
include(CPack)

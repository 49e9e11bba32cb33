# Run by CPack on the installed files. To those of an archive it adds the shared libraries that they need, but those that belong
# to the system: glibc, the compiler's, OpenGL's dispatch and the X11 client, which must fit to the drivers.
file(GLOB root ${CPACK_TEMPORARY_DIRECTORY} ${CPACK_TEMPORARY_DIRECTORY}/usr)
list(GET root -1 root)
file(GLOB modules ${root}/lib/python3/dist-packages/mote/_core*.so)
if(CPACK_GENERATOR STREQUAL "DEB")
  # All libraries are in the standard folders of the system.
  foreach(binary ${root}/bin/mote ${root}/libexec/mote/mote-read ${modules})
    file(RPATH_REMOVE FILE ${binary})
  endforeach()
  return()
endif()
file(GLOB_RECURSE own ${root}/lib/*/libmote.so ${root}/lib/libmote.so)
list(GET own 0 own)
cmake_path(GET own PARENT_PATH libraries)
set(bundle ${libraries}/mote)
file(GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${root}/bin/mote ${root}/libexec/mote/mote-read
  RESOLVED_DEPENDENCIES_VAR found
  UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+)\\.so" "^lib(GL|EGL|OpenGL|GLX|GLdispatch|X11|X11-xcb|xcb)\\.")
if(missing)
  message(FATAL_ERROR "libraries of the archive were not found: ${missing}")
endif()
foreach(library ${found})
  file(INSTALL ${library} DESTINATION ${bundle} FOLLOW_SYMLINK_CHAIN)
endforeach()

# In a full test what draws is compiled alone, or an include that is missing would be seen by nobody but those who build for
# themselves, where every file is.
if(MOTE_SANITIZE OR NOT MOTE_RENDER)
  set(MOTE_SEEN_ALONE)
else()
  set(MOTE_SEEN_ALONE ^render/ ^app/view/)
endif()

# mote_unity(TARGET [APART PATTERN...] [COLD FOLDER...]): with MOTE_UNITY, the files of one folder are compiled together, for
# most of what is compiled for each stands in headers that they share. Files that match a PATTERN are compiled alone, as are those with
# options of their own: names that they keep for themselves are those of others too. Folders without a hot loop are COLD, and
# optimised less: it is a third to a half of the time that they take to compile.
function(mote_unity target)
  if(NOT MOTE_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 unity "" "" "APART;COLD")
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "\\.cpp$")
  foreach(file ${files})
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH folder)
    string(REPLACE "/" "_" group ${folder})
    foreach(pattern ${unity_APART} ${MOTE_SEEN_ALONE})
      if(name MATCHES ${pattern})
        set(group)
      endif()
    endforeach()
    if(group)
      set_source_files_properties(${path} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(optimised $<$<CONFIG:Release>:-O1>)
  if(MOTE_SANITIZE)
    set(optimised -O0)
  endif()
  foreach(folder ${unity_COLD})
    string(REPLACE "/" "_" group ${folder})
    set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx
      TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS ${optimised})
  endforeach()
endfunction()

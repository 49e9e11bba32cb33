# One binary contains the hot loops for every instruction set; one is selected at program start. Their files include only formulas
# and xsimd, so that no code compiled with wide instructions can be shared with other files.

# mote_simd_sources(TARGET LEVELS level... FILES file...): compiles these files of the current folder once per level (scalar, sse4_2,
# avx2, avx512), with MOTE_SIMD_LEVEL defined as its name (engine/math/simd_level.h).
set(MOTE_FLAGS_scalar "")
set(MOTE_FLAGS_sse4_2 -msse4.2)
set(MOTE_FLAGS_avx2 -mavx2 -mfma)
# GCC 12 warns about the deliberately undefined operand inside its own AVX-512 intrinsics.
set(MOTE_FLAGS_avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mfma -Wno-maybe-uninitialized -Wno-uninitialized)
# Instrumented, the wider levels take minutes to compile; sanitizers check the same loops at two other widths.
if(MOTE_SANITIZE MATCHES address)
  list(APPEND MOTE_FLAGS_avx2 -fno-sanitize=${MOTE_SANITIZE})
  list(APPEND MOTE_FLAGS_avx512 -fno-sanitize=${MOTE_SANITIZE})
endif()

function(mote_simd_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "LEVELS;FILES")
  foreach(level ${given_LEVELS})
    add_library(${target}_${level} OBJECT ${given_FILES})
    target_compile_definitions(${target}_${level} PRIVATE MOTE_SIMD_LEVEL=${level})
    target_link_libraries(${target}_${level} PRIVATE mote_flags mote_loops mote_xsimd)
    target_compile_options(${target}_${level} PRIVATE ${MOTE_FLAGS_${level}})
    target_include_directories(${target}_${level} PRIVATE ${PROJECT_SOURCE_DIR})
    set_property(TARGET ${target}_${level} PROPERTY POSITION_INDEPENDENT_CODE ON)
    mote_batches(${target}_${level} MOST 2)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${level}>)
  endforeach()
endfunction()

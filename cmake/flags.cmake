# mote_flags: how every target of this project is compiled. Nothing here leaks into dependencies.
add_library(mote_flags INTERFACE)

# -Wno-restrict: GCC 12 warns about its own std::string operator+ (bug 105651).

# No contraction of a*b+c: what is fused is written as fma, so that every build of the CPU backend agrees.
target_compile_options(mote_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                            -Wno-restrict -ffp-contract=off -fno-math-errno>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-ffp-contract=off -fmad=false --expt-relaxed-constexpr>)
if(MOTE_WERROR)
  target_compile_options(mote_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

if(MOTE_SANITIZE)
  target_compile_options(mote_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${MOTE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  target_link_options(mote_flags INTERFACE -fsanitize=${MOTE_SANITIZE})
endif()

# mote_flags: how every target of this project is compiled. Nothing here leaks into dependencies.
add_library(mote_flags INTERFACE)

# -Wno-restrict: GCC 12 warns about its own std::string operator+ (bug 105651).

# -fno-tree-slp-vectorize: where two neighbouring doubles go to float and back, GCC 12 at -O2 and above forgets the
# rounding (x - double(float(x)) becomes 0), and with it the low parts of positions of two floats. The loops that count
# are vectorised by hand.

# Where files are compiled together, what others keep for themselves is global, and may be hidden.
set(shadow -Wshadow)
if(MOTE_UNITY)
  set(shadow -Wshadow=local)
endif()

# No contraction of a*b+c: what is fused is written as fma, so that every build of the CPU backend agrees.
target_compile_options(mote_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic ${shadow} -Wnon-virtual-dtor -Woverloaded-virtual
                            -Wno-restrict -ffp-contract=off -fno-math-errno -fno-tree-slp-vectorize>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-ffp-contract=off,-fno-tree-slp-vectorize -fmad=false --expt-relaxed-constexpr>)
if(MOTE_WERROR)
  target_compile_options(mote_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

# How the files of hot loops are compiled, one for each instruction set. Sanitizers look at what the loops read and write,
# which no optimisation changes; at -O3 instrumented loops take longer to compile than all tests of them to run.
set(MOTE_HOT_LOOPS -O3 -fno-trapping-math)
if(MOTE_SANITIZE)
  set(MOTE_HOT_LOOPS -O1 -fno-trapping-math)
  # Pointers that are null or of destroyed objects stop the address sanitizer too; to check each use of one for itself takes
  # a quarter of the time to compile.
  target_compile_options(mote_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${MOTE_SANITIZE}
    -fno-sanitize=null,vptr -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  target_link_options(mote_flags INTERFACE -fsanitize=${MOTE_SANITIZE})
endif()

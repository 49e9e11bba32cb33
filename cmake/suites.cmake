# Declares each suite of a GoogleTest program as one test of ctest, when ctest starts: most tests take less time than their program
# takes to start. Its name is PROGRAM/SUITE, since programs have suites of one name. Each suite writes a report of its single
# tests into REPORTS, for script/summarize_tests.py.
# Included by ctest with NAME, PROGRAM, FILTER (of GoogleTest), REPORTS, LABELS, TIMEOUT, SINGLE and ENVIRONMENT set.
if(NOT EXISTS ${PROGRAM})
  add_test(${NAME}.IsNotBuilt NOT_AVAILABLE)
  set_tests_properties(${NAME}.IsNotBuilt PROPERTIES LABELS "${LABELS}")
  return()
endif()
# A build with CUDA whose objects of all other code have passed their tests already (script/test) repeats those that CUDA may change:
# what uses a GPU, what lists, plans and refuses GPUs, and the library, which is linked with the CUDA runtime.
if("$ENV{MOTE_TESTS_OF}" STREQUAL "cuda" AND NOT NAME MATCHES "^(engine|api|host)_tests$")
  set(FILTER "*cuda*:*Gpu*:*GPU*:*Device*:*Plan*:*Share*:Commands.*:Compare.*:Options.*:Help.*:Shells.*:*Library*:Sweep*")
endif()
execute_process(COMMAND ${PROGRAM} --gtest_list_tests "--gtest_filter=${FILTER}"
  OUTPUT_VARIABLE listed RESULT_VARIABLE failed ERROR_VARIABLE errors)
if(failed)
  message(FATAL_ERROR "${PROGRAM} cannot list its tests: ${errors}")
endif()
# Lines are "Suite." and "  Test  # its parameter".
string(REGEX REPLACE " *#[^\n]*" "" listed "${listed}")
string(REGEX MATCHALL "[^\n]+" lines "${listed}")
set(suites "")
foreach(line ${lines})
  if(line MATCHES "^([A-Za-z0-9_/]+)\\.$")
    set(suite ${CMAKE_MATCH_1})
    list(APPEND suites ${suite})
  elseif(line MATCHES "^  ([A-Za-z0-9_/]+)$")
    list(APPEND "tests_${suite}" "${suite}.${CMAKE_MATCH_1}")
  endif()
endforeach()
file(MAKE_DIRECTORY ${REPORTS})
foreach(suite ${suites})
  if(SINGLE)  # a process for each test
    foreach(test ${tests_${suite}})
      add_test("${NAME}/${test}" ${PROGRAM} "--gtest_filter=${test}")
      set_tests_properties("${NAME}/${test}" PROPERTIES LABELS "${LABELS}" TIMEOUT 300 ENVIRONMENT "${ENVIRONMENT}"
        SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
    endforeach()
    continue()
  endif()
  if(FILTER STREQUAL "*")
    set(tests "${suite}.*")
  else()
    list(JOIN "tests_${suite}" ":" tests)
  endif()
  string(REPLACE "/" "." file "${suite}")
  add_test("${NAME}/${suite}" ${PROGRAM} "--gtest_filter=${tests}" "--gtest_output=xml:${REPORTS}/${file}.xml")
  set_tests_properties("${NAME}/${suite}" PROPERTIES LABELS "${LABELS}" TIMEOUT ${TIMEOUT} ENVIRONMENT "${ENVIRONMENT}")
  # So that tests that a dead process has not reported are known; and no report is an old one.
  list(JOIN "tests_${suite}" "\n" names)
  file(WRITE ${REPORTS}/${file}.list "${names}\n")
  file(REMOVE ${REPORTS}/${file}.xml)
  list(LENGTH "tests_${suite}" count)
  set_tests_properties("${NAME}/${suite}" PROPERTIES COST ${count})
endforeach()

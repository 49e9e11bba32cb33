# Installs mote into a temporary folder, builds the example against it as a user would, runs it, and imports the Python
# package from there. cmake -DBUILD=... -DSOURCE=... -DCXX=... -DGENERATOR=... [-DPYTHON=... -DPYTHON_DIR=...] -P check_install.cmake
set(folder ${BUILD}/tests/install_check)
file(REMOVE_RECURSE ${folder})

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${folder}
    OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${code}\n${out}${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${folder})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/api/example -B ${folder}/example -G ${GENERATOR}
  -DCMAKE_PREFIX_PATH=${folder}/prefix -DCMAKE_CXX_COMPILER=${CXX})
run(${CMAKE_COMMAND} --build ${folder}/example)
run(${folder}/example/collapse)
if(NOT out MATCHES "t = 2.00  half of the mass within 0.[0-9]+  energy error")
  message(FATAL_ERROR "unexpected output of the example:\n${out}")
endif()

# Completions and the manual are in the standard folders.
foreach(file bash-completion/completions/mote zsh/vendor-completions/_mote fish/vendor_completions.d/mote.fish man/man1/mote.1)
  if(NOT EXISTS ${folder}/prefix/share/${file})
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()

# The installed program finds files of its installation: a scene that exists only there.
file(WRITE ${folder}/prefix/share/mote/scenes/strange.lua
  "return { gravity = {}, integrator = { dt = 1 }, bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { 1, 0, 0 } } }, stop = { steps = 3 } }\n")
run(${folder}/prefix/bin/mote check strange)
run(${folder}/prefix/bin/mote doctor)
if(NOT out MATCHES "mote-read +${folder}/prefix/libexec/mote/mote-read\n")
  message(FATAL_ERROR "mote-read is not the installed one:\n${out}")
endif()
run(${folder}/prefix/bin/mote check hourglass)
if(PYTHON)
  # The library finds mote-read, too: loading snapshots fails without it, and works with it.
  file(COPY ${SOURCE}/tests/fuzz/corpus/gadget/kepler.h5 DESTINATION ${folder}/prefix/share/mote/scenes)
  file(WRITE ${folder}/prefix/share/mote/scenes/stored.lua
    "return { gravity = {}, integrator = { dt = 1e-3 }, bodies = gadget { file = 'kepler.h5' }, stop = { steps = 1 } }\n")
  file(RENAME ${folder}/prefix/libexec/mote/mote-read ${folder}/mote-read)
  file(WRITE ${folder}/prefix/libexec/mote/mote-read "")
  run(${CMAKE_COMMAND} -E env PYTHONPATH=${folder}/prefix/${PYTHON_DIR} ${PYTHON} -c
    "import mote\ntry:\n  mote.load('stored')\nexcept mote.SystemError as error:\n  assert '${folder}/prefix/libexec/mote/mote-read' in str(error), error\nelse:\n  raise AssertionError('read without a reader')")
  file(RENAME ${folder}/mote-read ${folder}/prefix/libexec/mote/mote-read)
  run(${CMAKE_COMMAND} -E env PYTHONPATH=${folder}/prefix/${PYTHON_DIR} ${PYTHON} -c "import mote; mote.load('stored')")
  run(${CMAKE_COMMAND} -E env PYTHONPATH=${folder}/prefix/${PYTHON_DIR} ${PYTHON} -c
    "import mote; s = mote.load('strange'); s.step(3); assert s.positions()[0, 0] == 3; assert mote.__file__.startswith('${folder}')")
endif()
file(REMOVE_RECURSE ${folder})

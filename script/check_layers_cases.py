"""Cases for script/check_layers --self-test: lines that must be reported and lines that must not."""
import pathlib
import tempfile

# File, line, and a part of the message; each must be reported once, at its line.
BAD = [
    ("engine/platform.h", '#include "engine/math/vec.h"', "engine/ is ordered"),
    ("engine/math/a.h", '#include "engine/types.h"', "engine/ is ordered"),
    ("engine/a.h", '#include "engine/exec/a.h"', "engine/ is ordered"),
    ("engine/exec/a.cpp", '#include "engine/memory/a.h"', "engine/ is ordered"),
    ("engine/memory/a.h", '#include "engine/algo/a.h"', "engine/ is ordered"),
    ("engine/mystery/a.h", '#include "engine/types.h"', "unknown folder of engine/"),
    ("engine/b.cpp", '#include "sim/state.h"', "engine/ never includes sim/"),
    ("engine/c.cpp", '#include "render/frame.h"', "engine/ never includes render/"),
    ("engine/d.cpp", '#include "a.h"', "path from the root"),
    ("engine/e.cpp", "#include <GLFW/glfw3.h>", "belong to render/"),
    ("engine/f.h", "  __host__ int f();", "spells __host__"),
    ("engine/g.cpp", "#if defined(__CUDACC__)", "spells __CUDACC__"),
    ("engine/h.h", "__device__ int g();", "spells __device__"),
    ("sim/expansions/gravity_formula.h", '#include "engine/types.h"', "a formula may include"),
    ("sim/gravity/a_formula.h", '#include "sim/gravity/a.h"', "a formula may include"),
    ("sim/gravity/a.cpp", '#include "sim/motion/motion.h"', "a subject may include"),
    ("sim/gravity/b.cpp", '#include "sim/run/plan.h"', "a subject may include"),
    ("sim/measure/a.h", '#include "sim/initial/bodies.h"', "a subject may include"),
    ("sim/space/a.h", '#include "sim/gravity/a.h"', "a subject may include"),
    ("sim/expansions/a.h", '#include "sim/gravity/a.h"', "a subject may include"),
    ("sim/space/b.h", '#include "sim/expansions/a.h"', "a subject may include"),
    ("sim/source/a.h", '#include "sim/model/a.h"', "sim/ is ordered"),
    ("sim/model/a.h", '#include "sim/scene/a.h"', "sim/ is ordered"),
    ("sim/scene/c.h", '#include "sim/lua/a.h"', "sim/ is ordered"),
    ("sim/state.h", '#include "sim/space/a.h"', "sim/ is ordered"),
    ("sim/fluid/a.h", '#include "sim/mixture/a.h"', "a subject may include"),
    ("sim/mixture/a.h", '#include "sim/initial/a.h"', "sim/ is ordered"),
    ("sim/initial/a.h", '#include "sim/io/a.h"', "sim/ is ordered"),
    ("sim/io/a.h", '#include "sim/scene/a.h"', "sim/ is ordered"),
    ("sim/scene/a.h", '#include "sim/run/a.h"', "sim/ is ordered"),
    ("sim/scene/b.h", '#include "sim/gravity/module/gravity_physics.h"', "sim/ is ordered"),
    ("sim/gravity/module/a.cpp", '#include "sim/fluid/fluid.h"', "a module may include"),
    ("sim/gravity/module/b.cpp", '#include "sim/fluid/module/fluid_tables.h"', "a module may include"),
    ("sim/gravity/module/c.cpp", '#include "sim/run/plan.h"', "sim/ is ordered"),
    ("sim/mystery/a.h", '#include "sim/state.h"', "unknown folder of sim/"),
    ("sim/run/a.cpp", '#include "render/frame.h"', "sim/ never includes render/"),
    ("sim/run/b.cpp", '#include "app/a.h"', "nothing includes app/"),
    ("sim/run/c.cu", "#include <imgui.h>", "belong to render/"),
    ("sim/run/d.cu", "__host__ __device__ void f();", "spells __host__"),
    ("app/p.cpp", 'fmt::print("{}\\n", title);', "use engine::print"),
    ("reader/p.cpp", 'std::fputs("a", stderr);', "use engine::print"),
    ("sim/run/p.cpp", "std::cout << title;", "use engine::print"),
    ("app/q.cpp", "std::fwrite(text.data(), 1, text.size(), stdout);", "use engine::print"),
    ("render/a.h", '#include "sim/state.h"', "render/ never includes sim/"),
    ("render/b.h", '#  include "tests/a.h"', "nothing includes tests/"),
    ("sim/run/f.cpp", '#include "api/mote.h"', "sim/ never includes api/"),
    ("api/mote.h", '#include "engine/math/vec.h"', "engine/check.h alone"),
    ("api/a.cpp", '#include "app/a.h"', "nothing includes app/"),
    ("python/a.cpp", '#include "api/parts.h"', "what every user sees"),
    ("python/b.cpp", '#include "engine/json.h"', "what every user sees"),
    ("tests/api/a.cpp", '#include "python/handle.h"', "nothing includes python/"),
    ("sim/io/a.cpp", '#include "reader/a.h"', "nothing includes reader/"),
    ("reader/a.cpp", '#include "render/a.h"', "reader/ never includes render/"),
    ("app/a.cpp", "#include <EGL/egl.h>", "belong to render/"),
    ("app/b.cpp", '#include "bench/a.h"', "nothing includes bench/"),
    ("bench/a.cpp", '#include "app/a.h"', "nothing includes app/"),
    ("tests/emulator/a.cpp", "#include <cuda_gl_interop.h>", "belong to render/"),
]

GOOD = [
    ("tests/fuzz/a.cpp", '#include "app/a.h"'),
    ("reader/b.cpp", '#include "sim/io/a.h"'),
    ("engine/platform.h", "#define MOTE_HOST_DEVICE __host__ __device__"),
    ("engine/terminal.cpp", "std::fwrite(text.data(), 1, text.size(), stdout);"),
    ("app/q.cpp", "std::snprintf(text, sizeof text, format, value);"),
    ("engine/params.h", '#include "engine/math/vec.h"'),
    ("engine/machine.cpp", '#include "engine/exec/parallel.h"'),
    ("engine/algo/a.cuh", '#include "engine/memory/buffer.h"'),
    ("engine/build.cpp", '#include "mote_commit.h"'),
    ("sim/gravity/b_formula.h", '#include "sim/motion/c_formula.h"'),
    ("sim/gravity/c.cu", '#include "sim/space/a.h"'),
    ("sim/molecular/a.h", '#include "sim/expansions/a.h"'),
    ("sim/gravity/d.cu", "__global__ void f() { __shared__ float x; }  // not __host__"),
    ("sim/gravity/e.cpp", '/* #include "app/a.h"\n   __device__ */'),
    ("sim/io/b.h", '#include "sim/initial/bodies.h"'),
    ("sim/run/e.cpp", '#include "sim/scene/a.h"'),
    ("render/gl/a.h", "#include <GL/glew.h>"),
    ("api/b.cpp", '#include "render/frame.h"'),
    ("python/c.cpp", '#include "api/mote.h"'),
    ("app/d.cpp", '#include "api/present.h"'),
    ("app/c.cpp", '#include "app/a.h"'),
    ("tests/sim/a.cpp", '#include "tests/support/a.h"'),
    ("tests/emulator/gl/a.cpp", "#include <GL/glew.h>"),
]


def self_test(check):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)

        def write(file, text):
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            with open(root / file, "a", encoding="utf-8") as stream:
                stream.write(text + "\n")

        expected = []
        for file, line, message in BAD:
            write(file, line)
            lines = (root / file).read_text(encoding="utf-8").count("\n")
            expected.append((f"{file}:{lines}: ", message))
        for file, line in GOOD:
            write(file, line)
        write("engine/long.cpp", "\n" * 600)
        expected.append(("engine/long.cpp:601: ", "split it"))
        write("engine/longish.cpp", "\n" * 400)

        # Two stems, of which a source closes the ring that no header closes.
        write("sim/fluid/ring_a.h", '#include "sim/fluid/ring_b.h"')
        write("sim/fluid/ring_b.h", "")
        write("sim/fluid/ring_b.cpp", '#include "sim/fluid/ring_a.h"')
        expected.append(("sim/fluid/ring_a: ", "a ring of 2 stems"))

        problems, warnings, _ = check(root)
        wrong = [f"missed: {location}{message}" for location, message in expected
                 if sum(p.startswith(location) and message in p for p in problems) != 1]
        wrong += [f"false positive: {p}" for p in problems
                  if not any(p.startswith(location) and message in p for location, message in expected)]
        if len(warnings) != 1 or not warnings[0].startswith("engine/longish.cpp:401: warning: "):
            wrong.append(f"warnings: {warnings}")
    print("\n".join(wrong + [f"check_layers: self-test of {len(expected)} violations, {len(wrong)} wrong"]))
    return 1 if wrong else 0

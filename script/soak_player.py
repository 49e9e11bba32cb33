"""Scenes and drive scripts for script/soak: seeded random input, as of a restless user."""
import itertools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
BODIES = """
local count = param("count", {count}, {{ min = 1, max = 200 }})
local softening = param("softening", {softening}, {{ min = 0, max = 1 }})
local bodies = {{}}
for i = 1, count do
  bodies[i] = {{ mass = 1 / count, position = {{ math.cos(i), math.sin(i), 0.001 * i }},
                 velocity = {{ -0.4 * math.sin(i), 0.4 * math.cos(i), 0 }} }}
end
return {{ title = "{count} bodies", gravity = {{ softening = softening }}, integrator = {{ "leapfrog", dt = 0.005 }},
          bodies = bodies, {more} }}
"""
# A body that passes another so closely at the third step that the force is infinite.
HIT = """return { title = "A hit", gravity = { softening = 0, constant = 1e-300 }, integrator = { "leapfrog", dt = 1 },
  bodies = { { mass = 0, position = { 0, 50, 0 } }, { mass = 1, position = { 0, 0, 0 } },
             { mass = 1, position = { 3, 1e-110, 0 }, velocity = { -1, 0, 0 } } } }
"""
KEYS = ("Space . , Right Left Shift+Right Shift+Left Home End [ ] \\ M R Ctrl+R F C Escape 1 2 3 4 5 6 7 8 9 - = N P T O X "
        "B L V Tab F1 F2 F3 F11 W A S D Q E Up Down Enter Backspace Delete Insert PageUp PageDown Ctrl+A Ctrl+Z Alt+1 "
        "Shift+Tab Ctrl+Shift+K ; ' /").split()
RARE_KEYS = ("F9", "F12", "Shift+F12", "Ctrl+S", "Ctrl+Shift+S")  # they write files
TYPED = "0 1 -1 0.5 7 42 200 201 -0 1e-300 1e300 1e999 nan inf -inf 0x10 99999999999999999999 abc 1,000 .. - true 1e-3".split()
COLORS = "speed radius acceleration mass id x y z".split()
MAPS = "inferno viridis magma plasma turbo grey".split()
SIZES = ((480, 270), (640, 360), (320, 180), (200, 300), (300, 60), (64, 36), (17, 9), (1, 1))


FOUNTAIN = """-- Bodies are added and removed, beyond the limits up to which names, orbits and trails are shown.
return {
  gravity = { softening = 0.1 },
  integrator = { dt = 0.01 },
  bodies = { { mass = 1, position = { 0, 0, 0 }, name = "well" }, { mass = 0.01, position = { 1, 0, 0 }, name = "first" } },
  on_start = function(sim) sim.data.ids = { 1 } end,
  on_step = { { every = 7, run = function(sim)
    local ids = sim.data.ids
    ids[#ids + 1] = sim:add { mass = 0.01, position = { 1 + math.random(), 0, 0 }, velocity = { 0, 1, 0 }, name = "n" .. sim.step }
    while #ids > 70 do sim:remove(table.remove(ids, 1)) end
  end }, { every = 1000, run = function(sim)
    for _, id in ipairs(sim.data.more or {}) do sim:remove(id) end
    sim.data.more = not sim.data.more and sim:add(plummer { n = 1100, mass = 0.1 }) or nil
  end } },
}
"""


def make_scenes(folder):
    """Writes small scenes that replace those that come with mote, so that no click opens a large one."""
    folder.mkdir()
    for count in (1, 2, 3, 20, 200):
        more = "stop = { time = 2 }, health = { energy_error = 1e-3 }" if count == 20 else ""
        (folder / f"bodies_{count}.lua").write_text(
            BODIES.format(count=count, softening="0.0" if count == 3 else 0.05, more=more))
    (folder / "hit.lua").write_text(HIT)
    (folder / "fountain.lua").write_text(FOUNTAIN)
    for name in ("kepler", "figure_eight", "pythagorean", "cold_collapse", "plummer"):
        text = (ROOT / "scenes" / f"{name}.lua").read_text()
        text = re.sub(r'param\("n", \d+, \{ min = 2, max = \d+', 'param("n", 150, { min = 2, max = 200', text)
        # A large time step: the close encounter comes soon and breaks the simulation.
        (folder / f"{name}.lua").write_text(text.replace('param("dt", 1e-5', 'param("dt", 1e-3'))
    return sorted(path.stem for path in folder.glob("*.lua"))


class Player:
    """Writes a drive script. It does not see the results, so it uses only commands that are never an error."""

    def __init__(self, rng, scenes, files, movies):
        self.rng, self.scenes, self.files, self.movies = rng, scenes, files, movies
        self.size, self.movie = SIZES[0], itertools.count()
        self.actions = {  # how often
            self.key: 30, self.rare_key: 1, self.click: 20, self.double: 6, self.drag: 10, self.wheel: 6,
            self.typing: 8, self.hold: 3, self.time: 16, self.parameter: 6, self.view: 8, self.camera: 3, self.open: 2,
            self.reopen: 2, self.resize: 2, self.screenshot: 1, self.record: 1 if movies else 0, self.wait: 10}

    def place(self):
        """A random position, sometimes outside."""
        w, h = self.size
        if self.rng.random() < 0.03:
            return f"{self.rng.uniform(-50, 2 * w):.0f} {self.rng.uniform(-50, 2 * h):.0f}"
        return f"{self.rng.uniform(0, w):.0f} {self.rng.uniform(0, h):.0f}"

    def button(self):
        return self.rng.choice(("left", "left", "left", "right", "middle"))

    def key(self):
        return [f"key {self.rng.choice(KEYS)}"]

    def rare_key(self):
        return [f"key {self.rng.choice(RARE_KEYS[0 if self.movies else 1:])}"]

    def hold(self):
        return [f"hold {self.rng.choice('WASDQE')} {self.rng.randint(2, 12)}"]

    def click(self):
        return [f"click {self.place()} {self.button()}"]

    def double(self):
        return [f"double {self.place()}"]

    def drag(self):
        return [f"drag {self.place()} {self.place()} {self.button()}"]

    def wheel(self):
        return [f"wheel {self.place()} {self.rng.choice((-30, -3, -1, 0.5, 1, 3, 30))}"]

    def typing(self):
        """Types into a field of the panels, if one is hit."""
        x, y = self.rng.uniform(0, 0.4 * self.size[0]), self.rng.uniform(0, self.size[1])
        return [f"double {x:.0f} {y:.0f}", "frames 3", "key Ctrl+A", f"type {self.rng.choice(TYPED)}", "frames 2",
                f"key {self.rng.choice(('Enter', 'Enter', 'Tab', 'Escape'))}"]

    def time(self):
        r = self.rng
        rate = 0 if r.random() < 0.3 else 10 ** r.uniform(-4, 0.5)  # every frame waits for its steps
        return [r.choice(("run", "run", "run", "pause", f"rate {rate:.3g}", f"step {r.randint(1, 300)}",
                          f"step {-r.randint(1, 300)}", f"seek {int(10 ** r.uniform(0, 7))}", "seek 0"))]

    def parameter(self):
        r = self.rng
        return [r.choice((f"set gravity.softening {r.random():.4f}", f"set integrator.dt {10 ** r.uniform(-4, -2):.5f}",
                          f"set view.exposure {r.uniform(-20, 20):.3f}", f"set view.point_size {r.uniform(0, 256):.2f}",
                          f"set view.map {r.choice(MAPS)}", f"set view.color {r.choice(COLORS)}"))]

    def view(self):
        r = self.rng
        return [r.choice((f"color {r.choice(COLORS)}", f"pick {r.randrange(200)}", "frame-all",
                          f"panels {r.choice(('on', 'on', 'off'))}",
                          f"show {r.choice(('statistics', 'log', 'help'))} {r.choice(('on', 'off'))}"))]

    def camera(self):
        r = self.rng
        distance = 10 ** r.uniform(-12, 12) if r.random() < 0.1 else 10 ** r.uniform(-1, 1.5)
        return [f"camera {distance:.3g} {r.uniform(-400, 400):.1f} {r.uniform(-100, 100):.1f}"]

    def open(self):
        name = self.rng.choice(self.scenes)
        lines = [f"open {name}"]
        if name.startswith("bodies") and self.rng.random() < 0.5:  # its own parameters are known once it is there
            lines = self.calm() + lines + self.calm() + [f"set count {self.rng.randint(1, 200)}", f"set softening {self.rng.random():.3f}"]
            lines += [self.rng.choice(("reset", "key R", "run"))]
        return lines

    def reopen(self):
        return [self.rng.choice(("reset", "key Ctrl+R", "key R", f"open {self.rng.choice(self.files)}"))]

    def resize(self):
        self.size = self.rng.choice(SIZES)
        return ["size {} {}".format(*self.size)]

    def screenshot(self):
        return ["screenshot picture.png" + self.rng.choice(("", " scene"))]

    def record(self):
        return [f"record movie_{next(self.movie) % 9}.mp4", f"frames {self.rng.randint(0, 12)}"] + ["record stop"] * (
            self.rng.random() < 0.8)

    def wait(self):
        return [f"frames {int(10 ** self.rng.uniform(0, 1.7))}"]

    def calm(self):
        """Waits until nothing is in progress. Twice: a click may still open a scene."""
        return ["pause", "frames 15", "pause", "frames 10", "settle"]

    def chunk(self, number):
        lines = []
        for _ in range(40):
            lines += self.rng.choices(list(self.actions), list(self.actions.values()))[0]()
        if self.movies:
            lines.append("record stop")
        self.size = SIZES[0]
        # The picture marks the progress of the script.
        return lines + ["size {} {}".format(*self.size)] + self.calm() + [f"screenshot at_{number}.png scene"]


def frames_of(line):
    """Least number of frames that a command takes."""
    words = line.split()
    counts = {"frames": lambda: int(words[1]), "hold": lambda: int(words[2]), "settle": lambda: 2}
    one = ("key", "move", "click", "double", "drag", "wheel", "type", "size", "screenshot")
    return counts.get(words[0], lambda: int(words[0] in one))()

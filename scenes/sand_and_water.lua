-- A ball of sand falls into a pool, digs a crater and sinks to a heap on the floor; water shoots up where it went in.
-- Shows: two kinds of matter in one scene, grains in a fluid. The water carries the grains and drags at them, they push it away, and
-- its surface ends higher by their volume.
-- Loses energy: grains where they bounce and rub, drag, the fluid's viscosity and impacts take it. Momentum between grains and water
-- is conserved to rounding.
-- Source: Robinson, Ramaioli & Luding (2014), Int. J. Multiphase Flow 59, 121, with the drag of Di Felice (1994), Int. J. Multiphase
-- Flow 20, 153; the equations are in docs/physics/mixtures.md.
local across = param("across", 22, { min = 10, max = 100, doc = "particles of water along a side of the pool" })
local deep = param("deep", 8, { min = 3, max = 60, doc = "layers of water" })
local size = param("size", 4.8, { min = 1, max = 30, doc = "radius of the ball of sand, in spacings of the water" })
local density = param("density", 2500, { min = 300, max = 8000, doc = "of a grain; below 1000 it floats" })

local dx, gravity = 0.005, 9.81
local grain, side = 0.4 * dx, across * dx

local bodies = { translate(lattice { counts = { across, across, deep }, spacing = dx, species = "water",
                                     mass = across * across * deep * 1000 * dx ^ 3 }, { 0, 0, 0.5 * deep * dx }) }

-- The ball begins two spacings above the water, as fast as if it had fallen by its size.
local radius = size * dx
local middle, speed = (deep + 2) * dx + radius, math.sqrt(2 * gravity * 2 * radius)
local step = 2.1 * grain
local n = math.ceil(radius / step)
for i = -n, n do
  for j = -n, n do
    for k = -n, n do
      local x, y, z = i * step, j * step, k * step
      if x * x + y * y + z * z < radius * radius then
        table.insert(bodies, { species = "sand", position = { x, y, middle + z }, velocity = { 0, 0, -speed } })
      end
    end
  end
end

local fastest = math.sqrt(2 * gravity * (middle + 2 * radius))
return {
  title = "Sand and water",
  about = "Grains of 4 mm in water at a spacing of 5 mm, softer than real ones.",
  units = "si",
  domain = { size = { side, side, 0 }, x = "periodic", y = "periodic", z = "open" },
  fields = { uniform { acceleration = { 0, 0, -gravity } } },
  species = { water = { matter = "fluid", color = "#3a78b8" }, sand = { matter = "grains", color = "#d9b36c" } },
  fluid = { spacing = dx, density = 1000, largest_speed = fastest, viscosity = 1e-6, artificial_viscosity = 0.03, walls = "free_slip" },
  grains = { radius = grain, spread = 0.05, density = density, young_modulus = 4e5, restitution = 0.4, rolling_friction = 0.1 },
  obstacles = { plane { normal = { 0, 0, 1 } } },
  integrator = { dt = 0.25 * 1.5 * dx / (11.5 * fastest) * 0.58 },
  bodies = bodies,
  health = { escape_radius = 1 },
  view = { color = "species", bodies = "fluid", occlusion = 1,
           camera = { distance = 2.2 * side, azimuth = -60, elevation = 24, target = { 0, 0, 0.7 * deep * dx } } },
  stop = { time = 0.25 },
}

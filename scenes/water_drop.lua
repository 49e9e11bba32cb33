-- A drop of water falls into a pool.
-- Shows: weakly compressible SPH in three dimensions, drawn as the surface of a fluid: a crater, its rim, and what shoots up when
-- it closes. The pool goes on sideways and stands on a floor of particles. There is no surface tension.
-- Loses energy: viscosity, diffusion of density and the impact take it. Momentum along the floor is conserved to rounding.
-- Source: Worthington (1908), A Study of Splashes; the equations are in docs/physics/fluids.md.
local across = param("across", 26, { min = 12, max = 200, doc = "particles along a side of the pool" })
local depth = param("depth", 0.36, { min = 0.1, max = 1, doc = "of the pool, in its widths" })
local drop = param("drop", 0.24, { min = 0.1, max = 0.6, doc = "diameter of the drop, in widths of the pool" })
local fall = param("fall", 0.7, { min = 0, max = 10, doc = "how deep the drop fell before, in widths of the pool" })

local dx, gravity = 1 / across, 1
local thick = 4  -- layers of floor: they reach as far as particles feel each other
local deep = math.floor(depth * across + 0.5)

local bodies = {
  translate(lattice { counts = { across, across, deep }, spacing = dx, mass = across * across * deep * dx ^ 3 },
            { 0, 0, 0.5 * deep * dx }),
  translate(lattice { counts = { across, across, thick }, spacing = dx, mass = across * across * thick * dx ^ 3, species = "floor" },
            { 0, 0, -0.5 * thick * dx }),
}

-- The drop, as it touches the pool.
local r, speed = 0.5 * drop, math.sqrt(2 * gravity * fall)
local n = math.ceil(r / dx)
for i = -n, n - 1 do
  for j = -n, n - 1 do
    for k = -n, n - 1 do
      local x, y, z = (i + 0.5) * dx, (j + 0.5) * dx, (k + 0.5) * dx
      if x * x + y * y + z * z < r * r then
        table.insert(bodies, { mass = dx ^ 3, position = { x, y, (deep + 0.5) * dx + r + z }, velocity = { 0, 0, -speed } })
      end
    end
  end
end

local fastest = math.sqrt(2 * gravity * (fall + depth + drop))
return {
  title = "Water drop",
  about = "A drop and a pool, with widths of the pool as lengths and g = 1.",
  domain = { size = { 1, 1, 0 }, x = "periodic", y = "periodic", z = "open" },
  fields = { uniform { acceleration = { 0, 0, -gravity } } },
  species = { floor = { wall = true, color = "#808890" } },
  fluid = { spacing = dx, largest_speed = fastest, dimensions = 3, smoothing = 1.5, artificial_viscosity = 0.02, walls = "free_slip" },
  integrator = { dt = 0.25 * 1.5 * dx / (10 * fastest), courant = 0.8 },
  bodies = bodies,
  health = { escape_radius = 10 },
  view = { color = "speed", map = "viridis", bodies = "fluid",
           camera = { distance = 2.3, azimuth = -60, elevation = 22, target = { 0, 0, 0.25 } } },
  stop = { time = 1.5 },
}

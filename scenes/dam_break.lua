-- A column of water collapses, runs along the floor, and hits a step and the far wall.
-- Shows: weakly compressible SPH in two dimensions, walls of particles. The front runs no faster than 2 sqrt(g H).
-- Loses energy: viscosity, diffusion of density and impacts take it. Momentum between particles is conserved to rounding. A
-- particle that splashes out of the tank and too far away ends the run.
-- Source: Martin & Moyce (1952), Phil. Trans. R. Soc. A 244, 312, for the front; the equations are in docs/physics/fluids.md.
local across = param("across", 20, { min = 8, max = 1000, doc = "particles across the column of water" })
local height = param("height", 2, { min = 0.5, max = 3, doc = "of the column, in widths" })
local step = param("step", true, { doc = "whether there is a step on the floor" })

local dx = 1 / across
local gravity, length, tall = 1, 5, 4
local thick = 5  -- layers of wall particles: they reach as far as particles feel each other

-- Particles of a rectangle, from its lower left corner, at the spacing of the fluid.
local function block(left, bottom, nx, ny, species)
  return translate(lattice { counts = { nx, ny, 1 }, spacing = dx, mass = nx * ny * dx * dx, species = species },
                   { left + 0.5 * nx * dx, bottom + 0.5 * ny * dx, 0 })
end
local long, up = math.floor(length * across + 0.5), math.floor(tall * across + 0.5)
local bodies = {
  block(0, 0, across, math.floor(height * across + 0.5)),
  block(-thick * dx, -thick * dx, long + 2 * thick, thick, "wall"),
  block(-thick * dx, 0, thick, up, "wall"),
  block(length, 0, thick, up, "wall"),
}
if step then table.insert(bodies, block(3, 0, math.floor(0.4 * across + 0.5), math.floor(0.4 * across + 0.5), "wall")) end

local fastest = math.sqrt(2 * gravity * height)
return {
  title = "Dam break",
  about = "Water in a tank, with widths of the column as lengths and g = 1.",
  fields = { uniform { acceleration = { 0, -gravity, 0 } } },
  species = { wall = { wall = true, color = "#808890" } },
  fluid = { spacing = dx, largest_speed = fastest, dimensions = 2, artificial_viscosity = 0.03, walls = "free_slip" },
  integrator = { dt = 0.25 * 2 * dx / (11.5 * fastest) * 0.8 },
  bodies = bodies,
  health = { escape_radius = 3 * length },
  view = { color = "speed", map = "viridis", bodies = "spheres",
           camera = { distance = 1.3 * length, azimuth = -90, elevation = 90, target = { 0.5 * length, 0.47 * tall, 0 } } },
  stop = { time = 4 },
}

-- Two jets of water meet above a basin and fall into it; plugholes in its corners take water out.
-- Shows: emitters and drains of weakly compressible SPH in two dimensions. Layers of particles leave the nozzles one spacing
-- apart, so that water comes in with width times speed; the basin is full when as much goes out.
-- Loses energy: viscosity, diffusion of density and impacts take it; what bodies bring that come and go does not count.
-- Source: parabolas of Galilei (1638), Discorsi; the equations of the fluid are in docs/physics/fluids.md.
local across = param("across", 6, { min = 2, max = 60, doc = "particles across a jet" })
local speed = param("speed", 1.6, { min = 0.2, max = 4, doc = "of the jets" })
local angle = param("angle", 62, { min = 10, max = 85, unit = "angle", doc = "of the jets above the horizontal" })

local jet, half, deep, tall = 0.12, 1.5, 0.35, 0.8
local dx, gravity, nozzle = jet / across, 1, 0.75
local thick = 5  -- layers of wall particles: they reach as far as particles feel each other

-- Particles of a rectangle, from its lower left corner, at the spacing of the fluid.
local function block(left, bottom, nx, ny, species)
  return translate(lattice { counts = { nx, ny, 1 }, spacing = dx, mass = nx * ny * dx * dx, species = species },
                   { left + 0.5 * nx * dx, bottom + 0.5 * ny * dx, 0 })
end
local wide, up = 2 * math.floor(half / dx + 0.5), math.floor(tall / dx + 0.5)
local left = -0.5 * wide * dx

local c, s = math.cos(math.rad(angle)), math.sin(math.rad(angle))
local fastest = 1.1 * math.sqrt(speed ^ 2 + 2 * gravity * nozzle)
return {
  title = "Fountain",
  about = "Water between walls that are 3 apart, with g = 1.",
  fields = { uniform { acceleration = { 0, -gravity, 0 } } },
  species = { wall = { wall = true, color = "#808890" } },
  fluid = { spacing = dx, largest_speed = fastest, dimensions = 2, artificial_viscosity = 0.03, walls = "free_slip" },
  emitters = {
    { position = { -half + 0.2, nozzle, 0 }, direction = { c, s, 0 }, radius = 0.5 * jet, speed = speed, most = 100000 },
    { position = { half - 0.2, nozzle, 0 }, direction = { -c, s, 0 }, radius = 0.5 * jet, speed = speed, most = 100000 },
  },
  drains = {
    { position = { -half, 0, 0 }, radius = 0.8 * jet },
    { position = { half, 0, 0 }, radius = 0.8 * jet },
  },
  integrator = { dt = 0.25 * 2 * dx / (11.5 * fastest) * 0.8 },
  bodies = {
    block(left, 0, wide, math.floor(deep / dx + 0.5)),
    block(left - thick * dx, -thick * dx, wide + 2 * thick, thick, "wall"),
    block(left - thick * dx, 0, thick, up, "wall"),
    block(-left, 0, thick, up, "wall"),
  },
  health = { escape_radius = 20 },
  view = { color = "speed", map = "viridis", bodies = "spheres",
           camera = { distance = 4.1, azimuth = -90, elevation = 90, target = { 0, 0.95, 0 } } },
  stop = { time = 4 },
}

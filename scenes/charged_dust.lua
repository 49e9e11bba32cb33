-- Charged grains, half of them plus and half minus, find each other, hang together in chains and rings, and clot.
-- Shows: forces of near pairs on grains. Charges act over a distance (coulomb), contacts when they touch (grains): collisions lose
-- energy, and so what has met stays together.
-- Loses energy: collisions take it. Momentum is conserved to rounding.
-- Source: the setting of Lee, Waitukaitis, Miskin & Jaeger (2015), Nature Physics 11, 733, with equal and opposite charges.
local side = param("side", 9, { min = 4, max = 40, doc = "grains along each side of the cloud" })
local stickiness = param("stickiness", 12, { min = 0, max = 100, doc = "energy of two that touch, in kinetic energies of a grain" })
local warmth = param("warmth", 0.03, { min = 0, max = 0.2, doc = "speed at the start along each axis, in m/s" })

local radius, density = 0.01, 1000
local mass = 4 / 3 * math.pi * density * radius ^ 3
local apart = 4.2 * radius

-- A cloud of both in turns would be a crystal already: each takes its place by lot.
local bodies = {}
for i = 1, side do
  for j = 1, side do
    for k = 1, side do
      local at = { (i - 0.5 - side / 2) * apart, (j - 0.5 - side / 2) * apart, (k - 0.5 - side / 2) * apart }
      table.insert(bodies, {
        species = #bodies % 2 == 0 and "plus" or "minus", position = at,
        velocity = { warmth * (2 * math.random() - 1), warmth * (2 * math.random() - 1), warmth * (2 * math.random() - 1) },
      })
    end
  end
end
for i = #bodies, 2, -1 do
  local other = math.random(i)
  bodies[i].species, bodies[other].species = bodies[other].species, bodies[i].species
end

return {
  title = "Charged dust",
  units = "si",
  seed = 2,
  lennard_jones = { epsilon = 0, sigma = radius }, -- charges alone
  coulomb = { constant = stickiness * 0.5 * mass * 3 * 0.03 ^ 2 * 2 * radius, cutoff = 12 * radius },
  grains = { radius = radius, density = density, young_modulus = 2e4, restitution = 0.4, friction = 0.4,
             rolling_friction = 0.05 },
  species = {
    plus = { matter = "grains", charge = 1, color = "#e8704a" },
    minus = { matter = "grains", charge = -1, color = "#4a90e8" },
  },
  integrator = { dt = 2e-4 },
  stop = { time = 6 },
  view = { color = "species", bodies = "spheres", occlusion = 1 },
  bodies = bodies,
}

-- A crystal of rock salt melts: charges pull across the whole box and all of its periodic images.
-- Shows: solver = "multipole" of charges. Ions leave their sites: the displacement of the series grows with time, by 0.08 nm^2
-- a ps, and does not stop as in a crystal. Loses energy: the heat bath gives and takes it.
-- Source: ions of Smith & Dang (1994), J. Chem. Phys. 100, 3757.
local side = param("side", 8, { min = 8, max = 100, doc = "ions along each side of the crystal, an even number" })
local temperature = live("temperature", "1800 K", { unit = "energy", doc = "of the heat bath; the salt melts at about 1070 K" })

local apart = 0.34 -- nm, as in the melt at this temperature; 0.282 in the cold crystal
local function place(i) -- about its site, as far off as in a hot crystal
  return (i + 0.5 - side / 2 + 0.15 * (math.random() + math.random() + math.random() - 1.5)) * apart
end
local bodies = {}
for i = 0, side ^ 3 - 1 do
  local x, y, z = i % side, i // side % side, i // side ^ 2
  bodies[i + 1] = {
    species = (x + y + z) % 2 == 0 and "sodium" or "chlorine", mass = (x + y + z) % 2 == 0 and 22.99 or 35.45,
    position = { place(x), place(y), place(z) },
  }
end

return {
  title = "Molten salt",
  about = "Sodium and chlorine ions on a lattice, in a bath hotter than their melting point.",
  units = "molecular",
  domain = { size = { side * apart, side * apart, side * apart } },
  lennard_jones = { cutoff = 0.9, truncation = "switched" },
  coulomb = { solver = "multipole", accuracy = 1e-3 },
  species = {
    sodium = { charge = 1, epsilon = 0.5439, sigma = 0.235, color = "#ffb060" },
    chlorine = { charge = -1, epsilon = 0.4187, sigma = 0.4401, color = "#60d080" },
  },
  thermostat = { "langevin", temperature = temperature, friction = 2 },
  integrator = { "leapfrog", dt = 0.002 },
  bodies = bodies,
  radial_distribution = { range = 1.0 },
  series = { displacement = true },
  view = { color = "species", bodies = "spheres", radius = 0.11, occlusion = 1, box = true, camera = { distance = 2.7 * side * apart, target = { 0, 0, 0 }, elevation = 20, azimuth = 30 } },
  stop = { time = 4 },
}

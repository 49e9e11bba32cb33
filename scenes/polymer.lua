-- A bundle of straight polymers comes apart, and each of them coils up among the others.
-- Shows: FENE bonds between beads that repel each other, after Kremer & Grest; how far chains reach follows from their stiffness.
-- Loses energy: the thermostat gives and takes it.
-- Source: Kremer & Grest (1990), J. Chem. Phys. 92, 5057: k = 30, R0 = 1.5, kT = 1 in units of epsilon, sigma and m; their melts have density 0.85.
local beads = param("beads", 16, { min = 4, max = 10000, doc = "of each chain" })
local across = param("across", 10, { min = 3, max = 300, doc = "chains along each of two sides" })
local density = param("density", 0.4, { min = 0.05, max = 0.9, doc = "beads per sigma^3" })
local stiffness = param("stiffness", 0, { min = 0, max = 20, doc = "k of the angles, k (1 - cos(theta - 180)); 0: freely jointed" })

local bond = 0.97  -- where FENE and repulsion balance at this temperature
local apart = 1 / math.sqrt(density * bond)  -- of the chains at the start
local colors = { "#e8553a", "#f2b134", "#57a773", "#3a7de8", "#8b5fbf", "#d8d4cf" }
local species = {}
for k, color in ipairs(colors) do species["chain" .. k] = { color = color } end

local chains = {}
for i = 1, across do
  for j = 1, across do
    chains[#chains + 1] = chain {
      n = beads, mass = beads, spacing = bond, bond = "backbone", angle = stiffness > 0 and "stiff" or nil, dispersion = 1,
      position = { 0, (i - 0.5 - across / 2) * apart, (j - 0.5 - across / 2) * apart },
      species = "chain" .. 1 + (i + 4 * j) % #colors,
    }
  end
end
return {
  title = "Polymers",
  about = "Chains of beads in a periodic box, straight and parallel at first.",
  domain = { size = { beads * bond, across * apart, across * apart } },
  lennard_jones = { cutoff = 2 ^ (1 / 6), skin = 0.4 },  -- the repulsive part alone
  bond_kinds = { backbone = { form = "fene", stiffness = 30, extension = 1.5 } },
  angle_kinds = stiffness > 0 and { stiff = { form = "cosine", stiffness = stiffness } } or nil,
  thermostat = { "langevin", temperature = 1, friction = 0.5 },
  integrator = { dt = 0.01 },
  species = species,
  bodies = chains,
  view = { color = "species", bodies = "spheres", occlusion = 1, box = true, camera = { distance = 2.4 * across * apart, elevation = 20 } },
  stop = { time = 100 },
}

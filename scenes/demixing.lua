-- Two liquids that do not like each other come apart.
-- Shows: species with forces of their own: unlike atoms attract each other at a third of the strength.
-- Conserves: energy of bodies and thermostat together to 2e-3, momentum to rounding.
-- Source: spinodal decomposition, Allen & Tildesley 2017, Computer Simulation of Liquids, for the method.
local cells = param("cells", 12, { min = 4, max = 128, doc = "cells of the lattice along each side, four atoms each" })
local attraction = param("attraction", 0.3, { min = 0, max = 1, doc = "depth of the well between unlike atoms" })
local temperature = live("temperature", 0.9, { min = 0.01, doc = "k T in units of epsilon" })

local spacing = (4 / 0.8) ^ (1 / 3)  -- density 0.8
local side = cells * spacing
local species = { red = { color = "#e8553a" }, blue = { color = "#3a7de8" } }

-- One crystal of both kinds in turn, layer by layer: four simple cubic lattices make an fcc one.
local function quarter(name, x, y, z)
  return translate(lattice { counts = { cells, cells, cells }, spacing = spacing, mass = cells ^ 3,
                             dispersion = 1.2, species = name }, { x * spacing, y * spacing, z * spacing })
end
return {
  title = "Demixing",
  about = "A mixture in reduced units, epsilon = sigma = m = 1, that separates into two liquids.",
  domain = { size = { side, side, side } },
  lennard_jones = { cutoff = 2.5 },
  species = species,
  pairs = { { species = { "red", "blue" }, epsilon = attraction } },
  thermostat = { "nose_hoover", temperature = temperature, time = 0.5 },
  integrator = { dt = 0.004 },
  bodies = { quarter("red", 0, 0, 0), quarter("blue", 0.5, 0.5, 0), quarter("red", 0.5, 0, 0.5), quarter("blue", 0, 0.5, 0.5) },
  view = { color = "species", bodies = "spheres", box = true, camera = { distance = 3 * side } },
  stop = { time = 100 },
}

-- A crystal of argon melts, and some of it evaporates.
-- Shows: Lennard-Jones forces in real units, a Langevin thermostat; the order of the crystal goes where it is warm enough.
-- Loses energy: the thermostat gives and takes it. Without (warm=false) energy is conserved to 1e-3, momentum to rounding.
-- Source: epsilon / k = 119.8 K, sigma = 0.3405 nm: Rahman (1964), Phys. Rev. 136, A405; melting at 83.8 K, boiling at 87.3 K.
local cells = param("cells", 8, { min = 3, max = 128, doc = "cells of the crystal along each side, four atoms each" })
local temperature = live("temperature", "110 K", { unit = "energy", doc = "of the thermostat" })
local warm = param("warm", true, { doc = "whether there is a thermostat" })

local spacing = 0.53  -- nm, of a cell of the cold crystal
local side = cells * spacing
return {
  title = "Argon melting",
  about = "An fcc crystal in a box twice as long, kept at a temperature above its melting point.",
  units = "molecular",  -- nm, ps, u: energies in kJ/mol
  domain = { size = { side, side, 2 * side } },
  lennard_jones = { epsilon = "119.8 K", sigma = 0.3405, cutoff = math.min(0.85, 0.44 * side), skin = 0.04 },
  thermostat = warm and { "langevin", temperature = temperature, friction = 0.5 } or nil,
  integrator = { dt = 0.01 },
  bodies = { lattice { structure = "fcc", counts = { cells, cells, cells }, spacing = spacing,
                       mass = 4 * cells ^ 3 * 39.948, dispersion = 0.1 } },
  view = { color = "speed", map = "inferno", bodies = "spheres", box = true, camera = { distance = 3.7 * side, elevation = 15 } },
  stop = { time = 60 },
}

-- A young star cluster: few heavy stars among many light ones.
-- Shows: stars share their energies when they pass, so that the heavy ones sink to the middle within a few crossings, while
-- light ones are thrown out. Conserves: energy to 5e-3 with this softening and step, momentum to rounding.
-- Source: mass function of Kroupa (2001), MNRAS 322, 231; segregation: Spitzer (1969), ApJ 158, L139.
local n = param("n", 2048, { min = 16, max = 262144, doc = "stars" })
local masses = param("masses", "kroupa", { choices = { "kroupa", "salpeter", "equal" }, doc = "how masses are drawn" })

return {
  title = "Star cluster",
  about = "A Plummer sphere of stars with drawn masses, G = M = 1.",
  gravity = { softening = 0.005 },
  integrator = { "leapfrog", dt = 0.002 },
  bodies = { cluster { n = n, masses = masses, mass = 1, scale = 0.59, maximum_mass = 20, virial_ratio = 1 } },
  view = { color = "mass", map = "viridis", camera = { distance = 5, target = { 0, 0, 0 } } },
  stop = { time = 20 },
}

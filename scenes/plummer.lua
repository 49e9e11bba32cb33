-- A star cluster in equilibrium: it moves, and stays as it is.
-- Shows: virial equilibrium, 2T/|U| = 1, and Lagrangian radii that hold still. Conserves: energy to 1e-5 with this
-- step; momentum and angular momentum to rounding.
-- Source: Plummer (1911), MNRAS 71, 460; sampled after Aarseth, Henon & Wielen (1974), A&A 37, 183.
local n = param("n", 8192, { min = 2, max = 1000000000, doc = "stars" })
local softening = live("softening", 0.02, { min = 0, max = 1, unit = "length", doc = "Plummer softening" })

return {
  title = "Plummer sphere",
  about = "A cluster in virial equilibrium, Henon units: G = M = 1, E = -1/4.",
  gravity = { softening = softening },
  integrator = { "leapfrog", dt = 1 / 128 },
  bodies = { plummer { n = n, mass = 1 } },
  view = { color = "speed", map = "viridis", camera = { distance = 5, target = { 0, 0, 0 } } },
  stop = { time = 10 },
}

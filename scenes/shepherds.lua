-- A thin ring about a planet, and a moon on either side of it.
-- Shows: each passage of a moon gives the ring a kick, and the kicks become wakes: waves along the edges whose length is
-- 3 pi times the distance to the moon. Without collisions nothing makes the waves fade. The moons are far heavier than those of
-- Saturn, so that a few turns are enough. Conserves: energy of planet and moons to 1e-6; the ring has no mass.
-- Source: Goldreich & Tremaine (1979), Nature 277, 97; wakes: Showalter et al. (1986), Icarus 66, 297.
local n = param("n", 20000, { min = 10, max = 1000000, doc = "particles of the ring" })
local moon = param("moon", 2e-5, { min = 0, max = 1e-3, unit = "mass", doc = "mass of each moon, in planets" })
local distance = param("distance", 0.1, { min = 0.06, max = 0.5, unit = "length", doc = "of the moons from the ring" })

return {
  title = "Ring between two moons",
  about = "A ring of test particles about a planet, shaped by a moon inside and a moon outside.",
  precision = "mixed",
  gravity = { softening = 0.001 },
  integrator = { "leapfrog", dt = 0.02 },
  bodies = {
    { name = "planet", mass = 1, position = { 0, 0, 0 } },
    orbit { name = "inner moon", mass = moon, central_mass = 1, semi_major_axis = 1 - distance },
    orbit { name = "outer moon", mass = moon, central_mass = 1, semi_major_axis = 1 + distance, mean_anomaly = 120 },
    ring { n = n, mass = 0, radius = 1, width = 0.06, central_mass = 1 },
  },
  view = {
    color = "radius", map = "viridis",
    camera = { distance = 3.3, target = { 0, 0, 0 }, azimuth = -90, elevation = 60 },
  },
  stop = { time = 80 },
}

-- A disc galaxy with a bulge and a dark halo, on its own.
-- Shows: the parts start near balance; within a turn or two the disc grows spiral arms out of the noise of its stars, which
-- come and go. Conserves: energy to 1e-4, momentum and angular momentum to rounding.
-- Source: Hernquist (1993), ApJS 86, 389; swing amplification: Toomre (1981), in The Structure and Evolution of Normal
-- Galaxies.
local n = param("n", 32768, { min = 64, max = 1000000000, doc = "bodies in all" })
local q = param("q", 1.2, { min = 0.5, max = 3, doc = "Toomre's Q of the disc: hot discs are smooth" })

return {
  title = "Disc galaxy",
  about = "Disc, bulge and halo of 1e10, 0.3e10 and 6e10 solar masses.",
  units = "galactic",
  gravity = { softening = 0.1 },
  integrator = { "leapfrog", dt = 5e-4 },
  bodies = {
    galaxy {
      n = n, n_bulge = n // 8, n_halo = n // 2, disk_mass = 1, scale_length = 3, toomre_q = q,
      bulge_mass = 0.3, bulge_scale = 0.6, halo_mass = 6, halo_scale = 15,
    },
  },
  view = { color = "speed", map = "inferno", camera = { distance = 45, target = { 0, 0, 0 }, azimuth = -90, elevation = 60 } },
  stop = { time = 0.5 },
}

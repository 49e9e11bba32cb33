-- A globular cluster on an eccentric orbit through the dark halo of a galaxy.
-- Shows: at every passage of the centre the tide takes stars off, which then lead and trail the cluster in two thin streams
-- along its orbit. Conserves: energy to 1e-5 (that of the stars in the fixed halo); momentum is not, for the halo holds them.
-- Source: King (1966), AJ 71, 64; streams: Johnston (1998), ApJ 495, 297; the halo: Binney & Tremaine (2008), eq. 2.71a.
local n = param("n", 4096, { min = 16, max = 262144, doc = "stars" })
local speed = param("speed", 110, { min = 0, max = 220, unit = "velocity", doc = "of the cluster, at 8 kpc" })

return {
  title = "Tidal streams",
  about = "A star cluster of 1e5 solar masses that a galaxy pulls apart.",
  units = "galactic",
  precision = "mixed",
  gravity = { softening = 0.002 },
  integrator = { "leapfrog", dt = 1e-4 },
  fields = { logarithmic_halo { speed = 220, core_radius = 0.5, flattening = 0.9 } },
  bodies = {
    king { n = n, mass = 1e-5, w0 = 5, tidal_radius = 0.08, position = { 8, 0, 0 }, velocity = { 0, speed, 0 } },
  },
  view = { color = "speed", map = "inferno", camera = { distance = 13.5, target = { 0, 0, 0 }, azimuth = -90, elevation = 75 } },
  stop = { time = 0.6 },
}

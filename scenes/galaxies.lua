-- Two disc galaxies pass each other on a bound orbit, draw out tails, and merge.
-- Shows: tidal bridges and tails. The first disc turns with the orbit and grows a long tail, the second is tilted and
-- resists. Conserves: energy to 1e-3 with this step and softening; momentum and angular momentum to rounding.
-- Source: Toomre & Toomre (1972), ApJ 178, 623; discs after Freeman (1970), ApJ 160, 811.
local n = param("n", 16384, { min = 64, max = 4194304, doc = "bodies in all" })
local softening = param("softening", 0.15, { min = 0, max = 2, unit = "length", doc = "Plummer softening" })
local tilt = param("tilt", 60, { min = 0, max = 180, unit = "angle", doc = "inclination of the second disc" })
local half = n // 2

return {
  title = "Galaxy collision",
  about = "Two exponential discs of 1e10 solar masses each.",
  units = "galactic",
  gravity = { softening = softening },
  integrator = { "leapfrog", dt = 1e-3 },
  bodies = {
    disk { n = half, mass = 1, scale_length = 3, position = { -12, -6, 0 }, velocity = { 30, 0, 0 } },
    disk { n = n - half, mass = 1, scale_length = 3, position = { 12, 6, 0 }, velocity = { -30, 0, 0 }, inclination = tilt },
  },
  view = { color = "speed", map = "inferno", camera = { distance = 90, target = { 0, 0, 0 }, azimuth = -60, elevation = 60 } },
  stop = { time = 1.2 },
}

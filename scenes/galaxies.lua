-- Two disc galaxies fly past each other and draw out tails.
-- Shows: tidal bridges and tails. The first disc turns in the plane of the orbit and grows a broad tail, the second is
-- tilted and grows a thin one; in the end each core has a tail, and a bridge joins them. Conserves: energy to 3e-4 with
-- this step and softening; momentum and angular momentum to rounding.
-- Source: Toomre & Toomre (1972), ApJ 178, 623; discs after Freeman (1970), ApJ 160, 811.
local n = param("n", 16384, { min = 64, max = 1000000000, doc = "bodies in all" })
local softening = live("softening", 0.15, { min = 0, max = 2, unit = "length", doc = "Plummer softening" })
local speed = param("speed", 40, { min = 0, max = 200, unit = "velocity", doc = "of each galaxy at the start" })
local offset = param("offset", 9, { min = 0, max = 30, unit = "length", doc = "sideways, of each galaxy" })
local tilt = param("tilt", 60, { min = 0, max = 180, unit = "angle", doc = "inclination of the second disc" })

local function galaxy(count, side, inclination)
  return disk {
    n = count, mass = 1, scale_length = 3, toomre_q = 1.2, inclination = inclination,
    position = { -12 * side, -offset * side, 0 }, velocity = { speed * side, 0, 0 },
  }
end

return {
  title = "Galaxy collision",
  about = "Two exponential discs of 1e10 solar masses pass each other on a nearly parabolic orbit.",
  units = "galactic",
  gravity = { softening = softening },
  integrator = { "leapfrog", dt = 1e-3 },
  bodies = { galaxy(n // 2, 1, 0), galaxy(n - n // 2, -1, tilt) },
  view = { color = "speed", map = "inferno", camera = { distance = 105, target = { 0, 0, 0 }, azimuth = -90, elevation = 65 } },
  stop = { time = 0.8 },
}

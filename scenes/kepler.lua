-- One light body on an ellipse about a unit mass: the two-body problem with a known answer.
-- Shows: second order of the leapfrog, the step where an eccentric orbit needs it. Conserves: energy to 3e-2 with
-- this step, an error that swings and does not grow, angular momentum to rounding.
-- Source: Kepler's laws; started at apocentre, r = a (1 + e), v^2 = (G M / a) (1 - e) / (1 + e).
local e = param("eccentricity", 0.9, { min = 0, max = 0.99, doc = "0 is a circle" })
local steps = param("steps", 2000, { min = 10, max = 1000000, doc = "steps in one orbit" })
local orbits = param("orbits", 20, { min = 1, max = 10000, doc = "orbits to follow" })
local period = 2 * math.pi

return {
  title = "Kepler ellipse",
  about = "A body of mass 1e-12 about a unit mass, semi-major axis 1.",
  precision = "double",
  gravity = { softening = 0 },
  integrator = { "leapfrog", dt = period / steps },
  bodies = {
    { name = "Sun", color = "#ffd040", mass = 1, position = { 0, 0, 0 } },
    { name = "planet", color = "#4f8fd6", mass = 1e-12, position = { 1 + e, 0, 0 },
      velocity = { 0, ((1 - e) / (1 + e)) ^ 0.5, 0 } },
  },
  view = { portrait = 2.2 * period, camera = { distance = 2.5, target = { e, 0, 0 }, azimuth = -90, elevation = 70 } },
  stop = { steps = steps * orbits },
}

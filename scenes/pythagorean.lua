-- Masses 3, 4 and 5 at rest in the corners of a 3-4-5 triangle: Burrau's problem.
-- Shows: close encounters without softening, and why a fixed step ends somewhere: the bodies pass each other at 4e-4
-- near t = 15.83. Conserves: energy (-769/60) to 1e-9 as long as the step resolves the encounters, momentum to rounding.
-- Source: Burrau (1913), Astron. Nachr. 195, 113; Szebehely & Peters (1967), AJ 72, 876.
local dt = live("dt", 1e-5, { min = 1e-8, max = 1e-2, doc = "time step" })

return {
  title = "Pythagorean three bodies",
  about = "Three bodies of mass 3, 4 and 5, released at rest, G = 1, no softening.",
  precision = "double",
  gravity = { softening = 0 },
  integrator = { "yoshida6", dt = dt },
  bodies = {
    { name = "three", mass = 3, position = { 1, 3, 0 } },
    { name = "four", mass = 4, position = { -2, -1, 0 } },
    { name = "five", mass = 5, position = { 1, -1, 0 } },
  },
  series = { steps = 1000 },
  view = { color = "mass", map = "turbo", camera = { distance = 7, target = { 0.3, 0.3, 0 }, azimuth = -90, elevation = 90 } },
  stop = { time = 10 },
}

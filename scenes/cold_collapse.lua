-- A uniform sphere at rest falls together, bounces, and leaves a core and a halo.
-- Shows: free fall, t = (pi/2) sqrt(R^3 / 2GM) = 1.11, and violent relaxation after it. The smallest size shrinks as
-- N^(-1/3). Conserves: energy to 3e-3 through the collapse with this step and softening.
-- Source: Aarseth, Lin & Papaloizou (1988), ApJ 324, 288.
local n = param("n", 16384, { min = 2, max = 1000000000, doc = "bodies" })
local softening = live("softening", 1 / 64, { min = 0, max = 1, unit = "length", doc = "Plummer softening" })

return {
  title = "Cold collapse",
  about = "A cold uniform sphere, G = M = R = 1.",
  gravity = { softening = softening },
  integrator = { "leapfrog", dt = 1 / 512 },
  bodies = { uniform_sphere { n = n, mass = 1, radius = 1 } },
  view = { portrait = 1.5, color = "speed", map = "inferno", camera = { distance = 3, target = { 0, 0, 0 } } },
  stop = { time = 2.5 },
}

-- A weight on a rod, let go at a right angle.
-- Shows: a fixed body and a bond of fixed length. The period is 4 K(sin(angle / 2)) sqrt(length / g), with the complete elliptic integral K: 1.18
-- times that of small swings for 90 degrees, 2.44 times for 170.
-- Conserves: energy to 1.1e-5 of its largest part; the rod keeps its length to 1e-12.
-- Source: Legendre (1825), Traite des fonctions elliptiques 1, chapter 8; Landau & Lifshitz, Mechanics, section 11, problem 1.
local angle = param("angle", 90, { min = 1, max = 179, unit = "angle", doc = "at the start" })

local start = math.rad(angle)
-- Complete elliptic integral of the first kind, by the arithmetic-geometric mean.
local a, b = 1, math.cos(start / 2)
for _ = 1, 8 do a, b = (a + b) / 2, math.sqrt(a * b) end
local period = 2 * math.pi / a

return {
  title = "Pendulum on a rod",
  about = "A weight swings from a fixed body; its period is known for any angle.",
  precision = "double",
  integrator = { dt = period / 1000 },
  fields = { uniform { acceleration = { 0, 0, -1 } } },
  bond_kinds = { rod = { form = "rigid", length = 1 } },
  bonds = { { kind = "rod", bodies = { { 0, 1 } } } },
  bodies = {
    { name = "pivot", mass = 1, position = { 0, 0, 1 }, fixed = true },
    { name = "weight", mass = 1, position = { math.sin(start), 0, 1 - math.cos(start) } },
  },
  view = {
    portrait = 2.3 * period, color = "speed", bodies = "spheres", radius = 0.05, trails = "on",
    camera = { distance = 2.6, target = { 0, 0, 0.6 }, azimuth = -90, elevation = 10 },
  },
  stop = { time = 10 * period },
}

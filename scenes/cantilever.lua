-- A beam that is clamped at one end sags under its weight.
-- Shows: bodies with fixed = true, and angles between bonds that resist bending. The tip comes to rest at w L^4 / (8 E I) below
-- the clamp, after swings of period 2 pi L^2 / 3.516 sqrt(w / (g E I)), which the air damps.
-- Loses energy: drag.
-- Source: Euler (1744), Methodus inveniendi, additamentum 1; Landau & Lifshitz, Theory of Elasticity, sections 20 and 25.
local parts = param("parts", 20, { min = 4, max = 200, doc = "of the beam, a bead each" })
local sag = param("sag", 0.05, { min = 0.001, max = 0.2, doc = "of the tip, over the length: w L^3 / (8 E I)" })

local part = 1 / parts
local bending = 1 / (8 * sag)  -- E I, for a beam of length 1 and weight 1
local fastest = 4 * math.sqrt(bending) * parts ^ 2  -- bending of neighbours against each other, in radians / time
local weight = 1 / parts  -- of a bead

return {
  title = "Cantilever",
  about = "A clamped beam of beads sags under its weight: Euler and Bernoulli's answer is w L^4 / (8 E I).",
  precision = "double",
  integrator = { dt = 0.4 / fastest },
  fields = { uniform { acceleration = { 0, 0, -1 } }, drag { linear = 1.5 } },
  bond_kinds = { link = { stiffness = weight * fastest ^ 2 / 4, length = part } },
  angle_kinds = { joint = { stiffness = bending / part } },
  bodies = {
    -- Each bead is the middle of its part; the first is inside the wall, which ends at x = 0.
    chain { n = parts + 1, mass = (parts + 1) * weight, spacing = part, bond = "link", angle = "joint", clamped = { "start" },
            position = { 0.5 - part / 2, 0, 1 } },
  },
  view = {
    color = "z", map = "viridis", bodies = "spheres", radius = 0.4 * part, trails = "off",
    camera = { distance = 1.05, target = { 0.47, 0, 0.97 }, azimuth = -90, elevation = 8 },
  },
  stop = { time = 12 },
}

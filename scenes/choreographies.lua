-- Three equal masses that follow each other along closed curves, started from two numbers.
-- Shows: periodic orbits of three bodies beyond the figure eight. Conserves: energy to 1e-8, momentum and angular momentum
-- (zero) to rounding.
-- Source: Suvakov & Dmitrasinovic (2013), PRL 110, 114301: bodies at (-1, 0), (1, 0), (0, 0), the outer two with velocity
-- (p1, p2), the middle one with twice that, backwards.
local curve = param("curve", "butterfly", { choices = { "butterfly", "moth", "dragonfly", "goggles" }, doc = "which one" })
local dt = live("dt", 5e-5, { min = 1e-6, max = 1e-2, unit = "time", doc = "time step" })

local starts = { -- p1, p2, period
  butterfly = { 0.30689, 0.12551, 6.2356 },
  moth = { 0.46444, 0.39606, 14.8939 },
  dragonfly = { 0.08058, 0.58884, 21.2710 },
  goggles = { 0.08330, 0.12789, 10.4668 },
}
local p1, p2, period = table.unpack(starts[curve])

return {
  title = "Choreographies",
  about = "Periodic orbits of three equal masses, G = 1.",
  precision = "double",
  gravity = { softening = 0 },
  integrator = { "yoshida6", dt = dt },
  bodies = {
    { mass = 1, position = { -1, 0, 0 }, velocity = { p1, p2, 0 } },
    { mass = 1, position = { 1, 0, 0 }, velocity = { p1, p2, 0 } },
    { mass = 1, position = { 0, 0, 0 }, velocity = { -2 * p1, -2 * p2, 0 } },
  },
  series = { steps = 100 },
  view = {
    color = "id", map = "turbo", bodies = "spheres", trails = "on",
    camera = { distance = 2.4, target = { 0, 0, 0 }, azimuth = -90, elevation = 90 },
  },
  stop = { time = period },
}

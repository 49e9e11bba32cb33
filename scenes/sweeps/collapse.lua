-- How softening and time step change a cold collapse: a grid, two seeds a point.
--   mote sweep collapse --out collapse_sweep
-- Shows: every value of one with every value of the other. docs/sweeps.md has all that a plan may say.
return {
  scene = "../cold_collapse.lua",
  set = { n = 128 },
  grid = {
    softening = { min = 1 / 64, max = 1 / 4, count = 3, log = true },
    ["integrator.dt"] = { 1 / 256, 1 / 128 },
  },
  repeats = 2,
  run = { time = 1.5, series_steps = 16 },
}

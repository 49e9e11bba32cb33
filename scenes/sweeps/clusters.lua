-- Small star clusters that sample size and softening evenly: a Latin hypercube.
--   mote sweep clusters --out cluster_sweep
-- Shows: numbers that are whole, a range in the logarithm, and runs that keep only their numbers.
return {
  scene = "../plummer.lua",
  latin_hypercube = {
    samples = 12,
    n = { min = 32, max = 256, log = true, whole = true },
    softening = { min = 0.01, max = 0.1, log = true },
  },
  run = { time = 1, series_steps = 16, keep = "summary" },
}

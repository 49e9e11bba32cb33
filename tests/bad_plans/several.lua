return {
  scene = "plummer",
  seed = -1,
  set = { n = 32 },
  grid = { n = { 32, 64 }, softening = 0.1 },
  random = { softening = { min = 2 } },
  latin_hypercube = { samples = 3, ["integrator.dt"] = { min = "1 s", max = "2 Myr" }, x = { min = 0, max = 1, log = true, y = 2 } },
  steps = 10,
  run = { stesp = 10, backend = "gpu", ["until"] = 3, time = "soon" },
}

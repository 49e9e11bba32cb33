return {
  units = "solar",
  integrator = { "leapfrog", dt = 0.01 },
  bodies = {
    { mass = 1, position = { 0, 0, 0 } },
    { mass = -1, position = { 1, 0, 0 } },
  },
  stop = { time = 1 },
}

return {
  units = "si",
  integrator = { "leapfrog", dt = 0.01 },
  bodies = {
    { mass = 1, position = { math.huge, 0, 0 } },
  },
  stop = { time = -math.huge },
}

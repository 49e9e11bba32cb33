return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = {
    { mass = 1, position = { 0, 0 } },
    { mass = 1, position = { x = 1, y = 0, z = 0 } },
    { mass = 1, position = { 1, 2, "3" } },
  },
  stop = { time = 1 },
}

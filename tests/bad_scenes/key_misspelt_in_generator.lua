return {
  gravity = {},
  integrator = { "leapfrog", dt = 0.01 },
  bodies = {
    { mass = 1, position = { 5, 0, 0 } },
    disk {
      n = 10,
      scale_lenght = 3,
    },
  },
  stop = { time = 1 },
}

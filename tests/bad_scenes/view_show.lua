return {
  integrator = { dt = 0.01 },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
  view = {
    show = "speed > 2 and x",
    clip = { normal = { 0, 0, 0 }, ofset = 1 },
  },
}

return {
  integrator = { dt = 0.01 },
  fields = { field { acceleration = { "x**2", "x == 3", "2 x" } } },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

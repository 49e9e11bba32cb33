return {
  integrator = { dt = 0.01 },
  fields = { field { acceleration = { "-(x + 2*(y - 1)", "sqrt(x, y)", "-y)" } } },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

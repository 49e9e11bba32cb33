return {
  integrator = { dt = 0.01 },
  fields = { field { acceleration = { "-µ*x", "2*x +\n  3*ω", 0 }, potential = "x^2 + vx" } },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

return {
  integrator = { dt = 0.01 },
  fields = field { acceleration = { "-k*x", "-k*q", 0 }, k = 2 },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

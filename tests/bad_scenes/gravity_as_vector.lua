return {
  gravity = { 0, 0, -9.81 },
  integrator = { dt = 0.01 },
  bodies = { { mass = 1, position = { 0, 0, 1 } } },
}

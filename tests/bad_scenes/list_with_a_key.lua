return {
  integrator = { dt = 0.1 },
  bodies = { { mass = 1, position = { 0, 0, 0 } }, galaxi = 3 },
}

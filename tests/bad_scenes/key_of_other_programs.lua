return {
  gravity = { eps = 0.1, G = 1 },
  integrator = { timestep = 0.01, dt = 1 },
  bodies = { plummer { N = 10, n = 3 }, { mass = 1, pos = { 0, 0, 0 }, position = { 0, 0, 0 } } },
}

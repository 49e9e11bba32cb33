return {
  gravity = { softening = 0.1 },
  integrator = {
    dt = 0.01,
  bodies = { plummer { n = 10 } },
}

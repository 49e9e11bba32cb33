return {
  integrator = { dt = 0.01 },
  bodies = { plummer { n = 3, cutoff = 1e-200 }, cluster { n = 3, cutoff = 1e300 } },
}

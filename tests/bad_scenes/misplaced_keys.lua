return {
  gravity = { dt = 1 },
  integrator = { "leapfrog", dt = 0.01, softening = 0.1 },
  dt = 0.01,
  time = 5,
  spring_constant = 3,
  bonds = { { kind = "spring", bodies = { { 0, 1 } }, k = 5 } },
  bodies = { plummer { n = 10 } },
}

scene = {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { plummer { n = 10 } },
}

return {
  gravity = { softening = 0.1 }
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { plummer { n = 10 } },
  stop = { time = 1 },
}

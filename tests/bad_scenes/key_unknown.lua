return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { plummer { n = 10 } },
  stop = { when = 3 },
}

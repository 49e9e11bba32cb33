return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { uniform_sphere { n = 0 }, plummer { n = 2.5 } },
  stop = { time = 1 },
}

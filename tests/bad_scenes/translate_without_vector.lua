return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { translate(plummer { n = 10 }) },
  stop = { time = 1 },
}

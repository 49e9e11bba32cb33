return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = {},
  stop = { time = 1 },
}

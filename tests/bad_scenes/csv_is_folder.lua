return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { csv { file = "data" } },
  stop = { time = 1 },
}

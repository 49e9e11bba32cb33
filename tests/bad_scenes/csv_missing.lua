return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = {
    csv { file = "data/absent.csv" },
  },
  stop = { time = 1 },
}

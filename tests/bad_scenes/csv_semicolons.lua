return {
  integrator = { dt = 0.01 },
  bodies = { csv { file = "data/semicolons.csv" } },
}

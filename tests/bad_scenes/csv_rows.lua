return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { csv { file = "data/bad_rows.csv" } },
  stop = { tiem = 1 },
}

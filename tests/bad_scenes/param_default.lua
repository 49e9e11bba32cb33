local n = param("n", 5, { min = 10, max = 100 })
return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { plummer { n = n } },
  stop = { time = 1 },
}

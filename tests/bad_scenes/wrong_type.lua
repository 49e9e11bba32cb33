return {
  title = 7,
  integrator = { "leapfrog", dt = "fast" },
  bodies = { plummer { n = 10 } },
  stop = 3,
}

return {
  integrator = {
    "leapfrog",
    dt = 0.01,
    dt = 0.001,
  },
  bodies = { plummer { n = 10 } },
  stop = { time = 1 },
}

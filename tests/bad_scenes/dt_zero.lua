return {
  integrator = {
    "leapfrog",
    dt = 0,
  },
  bodies = { plummer { n = 10 } },
  stop = { time = 1 },
}

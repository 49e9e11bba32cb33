return {
  integrator = {
    "leapfrog",
  },
  bodies = { plummer { n = 10 } },
  stop = { time = 1 },
}

return {
  integrator = { "leapfrog", name = "yoshida4", dt = 0.01 },
  bodies = { plummer { n = 10 } },
  stop = { time = 1 },
}

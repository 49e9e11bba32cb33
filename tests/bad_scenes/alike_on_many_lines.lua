return {
  integrator = { dt = 0.01 },
  bodies = {
    { mss = 1 },
    { mss = 1 },
    { mss = 1 },
    { mss = 1 },
    { mass = 1, vell = { 0, 0, 0 } },
  },
}

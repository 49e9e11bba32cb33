return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = {
    rotate(disk { n = 10 }, { axes = { 1, 0, 0 }, angle = 30 }),
  },
  stop = { time = 1 },
}

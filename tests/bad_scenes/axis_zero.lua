return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = {
    rotate(disk { n = 10 }, { axis = { 0, 0, 0 }, angle = 90 }),
  },
  stop = { time = 1 },
}

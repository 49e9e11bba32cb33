-- Nothing moves here.
return {
  integrator = { "leapfrog", dt = 0.01 },
  stop = { time = 1 },
}

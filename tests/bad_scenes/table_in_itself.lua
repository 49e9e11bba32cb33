local bodies = { plummer { n = 10 } }
bodies[2] = bodies
return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = bodies,
  stop = { time = 1 },
}

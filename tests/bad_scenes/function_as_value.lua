return {
  integrator = { "leapfrog", dt = function() return 0.01 end },
  bodies = { plummer { n = 10 } },
  stop = { time = 1 },
}

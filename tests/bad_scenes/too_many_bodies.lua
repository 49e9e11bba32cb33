local billion = { n = 1000000000 }
return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { plummer(billion), plummer(billion), plummer(billion), plummer(billion), plummer(billion) },
  stop = { time = 1 },
}

local n = param("n", 10)
local m = param("n", 20)
return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { plummer { n = n + m } },
  stop = { time = 1 },
}

local n = param("n", 10, {
  minimum = 1 })
local m = param("m", 10, { min = 20, max = 5 })
local kind = param("kind", 1, { choices = { "a", "b" } })
local k = param("k", 10, 5)
return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { plummer { n = n + m } },
  stop = { time = 1 },
}

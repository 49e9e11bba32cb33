local long = string.rep("x + ", 40)
return {
  integrator = { dt = 0.01 },
  fields = { field { acceleration = { long .. "velocity" .. string.rep(" + y", 40), 0, 0 } } },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

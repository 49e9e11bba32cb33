return {
  integrator = { dt = 0.01 },
  fields = { field { acceleration = { "-x +", "", "sin" } } },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

return {
  units = "si",
  integrator = { dt = "5" },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

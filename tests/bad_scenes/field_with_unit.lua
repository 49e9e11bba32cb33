return {
  units = "galactic",
  integrator = { dt = 0.01 },
  fields = { field { acceleration = { "-k*x", "-k*y", 0 }, k = "25 km/s/kpc" } },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

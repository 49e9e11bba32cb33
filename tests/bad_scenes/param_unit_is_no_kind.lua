local v = param("speed", "220 km/s", { unit = "km/s" })
return {
  units = "galactic",
  integrator = { dt = 1 },
  bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { v, 0, 0 } } },
}

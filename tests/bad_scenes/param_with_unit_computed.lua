local speed = param("speed", "150 km/s", { unit = "velocity" })
return {
  units = "galactic",
  integrator = { dt = "1 Myr" },
  bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { -speed, 0, 0 } } },
}

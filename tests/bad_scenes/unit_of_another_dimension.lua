return {
  units = "galactic",
  integrator = { dt = "4.3 kpc" },
  bodies = {
    { mass = 1, position = { "1 kpc", 0, 0 }, velocity = { 0, "4.3 kpc", 0 } },
    plummer { n = 10, inclination = "3 s", mass = "3 km/s^2" },
  },
}

return {
  integrator = { dt = 1 },
  bodies = { { mass = "1 Msun", position = { 1, 0, 0 } }, plummer { n = 3, inclination = "30 deg" } },
}

return {
  units = "galactic",
  integrator = { dt = 0.01 },
  bodies = { plummer { n = 20, scale = units.parsec(3) } },
}

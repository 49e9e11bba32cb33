return {
  units = "si",
  integrator = { dt = 1 },
  bodies = { scale({ { mass = 1, position = { 0, 0, 0 } } }, { length = "2 km" }), plummer { n = "3 km" } },
}

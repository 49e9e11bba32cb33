return {
  units = "si",
  integrator = { dt = 1 },
  bodies = { { mass = units.kg("one"), position = { 0, 0, 0 } } },
}

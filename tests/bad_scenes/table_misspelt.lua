return {
  units = "si",
  integrator = { dt = unit.day(3) },
  bodies = { plummer { n = 20 } },
}

return {
  units = "si",
  integrator = { dt = 1 },
  bodies = { { mass = "1 kg/", position = { "1 (km", "2 km^x", "three km" } } },
}

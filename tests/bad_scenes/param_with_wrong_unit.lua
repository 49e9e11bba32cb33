local size = param("size", "2 kg", { unit = "length" })
return {
  units = "si",
  integrator = { dt = 0.01 },
  bodies = { plummer { n = 3, scale = size } },
}

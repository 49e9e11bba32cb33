local v = param("speed", "2 kpc", { unit = "velocity" })
local m = param("mass", "2 kg", { unit = "mass", max = 1 })
return {
  units = "si",
  integrator = { dt = 1 },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

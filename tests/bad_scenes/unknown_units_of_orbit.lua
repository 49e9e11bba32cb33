return {
  units = "km",
  integrator = { "leapfrog", dt = "1 s" },
  bodies = { orbit { semi_major_axis = "1 km", central_mass = "1 Mearth", mass = 0 } },
  stop = { time = "1 day" },
}

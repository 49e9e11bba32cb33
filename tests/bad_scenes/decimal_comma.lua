local masses = param("masses", 1.5, { min = 0 })
return {
  units = "solar",
  gravity = { softening = "0,1" },
  integrator = { dt = "0,5 day", courant = "0,2" },
  bodies = { { mass = masses, position = { "384,400 km", 0, 0 } } },
}

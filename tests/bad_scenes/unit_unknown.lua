return {
  units = "galactic",
  integrator = { dt = 1 },
  gravity = { softening = "20 parsec" },
  bodies = { { mass = "1e10 Msol", position = { "1 kpcc", "3 furlongs", 0 } } },
}

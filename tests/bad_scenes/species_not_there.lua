return {
  integrator = { dt = 1 },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
  view = { color = "species" },
}

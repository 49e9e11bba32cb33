return {
  units = "si",
  grains = { radius = 0.1, density = 1000, young_modulus = 1e6 },
  obstacles = { mesh { file = "data/wrong_vertex.ply" } },
  integrator = { dt = 1e-5 },
  bodies = { { position = { 3, 0, 0 } } },
  stop = { steps = 1 },
}

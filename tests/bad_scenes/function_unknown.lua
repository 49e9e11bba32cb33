return {
  integrator = { dt = 0.01 },
  bodies = { dodecahedron { n = 20 } },
}

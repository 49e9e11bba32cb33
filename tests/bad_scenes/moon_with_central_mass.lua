return {
  integrator = { dt = 0.01 },
  gravity = {},
  bodies = {
    orbit {
      mass = 0.1, central_mass = 10, periapsis = 5,
      moons = { orbit { periapsis = 0.1, central_mass = 10 } },
    },
  },
}

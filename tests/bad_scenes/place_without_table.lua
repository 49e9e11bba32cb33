return {
  integrator = { dt = 1 },
  bodies = { place(plummer { n = 3 }, 5) },
}

local softening = live("softening", 0.1)
return {
  gravity = { softening = 2 * softening },
  integrator = { dt = 0.001 },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

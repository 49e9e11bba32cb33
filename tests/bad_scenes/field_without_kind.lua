-- An acceleration in place of a field, and a key that several other tables have.
return {
  gravity = {},
  fields = { gravity = -9.81 },
  series = { time = 1 },
  integrator = { dt = 1 },
  bodies = { { mass = 1, position = { 0, 0, 0 } } },
}

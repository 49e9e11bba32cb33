return {
  integrator = { dt = 1 },
  bodies = { table.unpack({}, 1, 1e6) },
}

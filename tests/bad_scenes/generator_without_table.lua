return {
  integrator = { dt = 0.01 },
  bodies = { plummer(1000) },
}

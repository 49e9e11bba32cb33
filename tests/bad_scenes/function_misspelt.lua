local n = 100
return {
  integrator = { dt = 0.01 },
  bodies = { plumer { n = n } },
}

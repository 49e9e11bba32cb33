return {
  integrator = { dt = 1 },
  bodies = { gadget { file = "data/none.hdf5" } },
}

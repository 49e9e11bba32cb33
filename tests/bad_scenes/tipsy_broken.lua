return {
  integrator = { dt = 1 },
  bodies = { tipsy { file = "data/broken.tipsy" } },
}

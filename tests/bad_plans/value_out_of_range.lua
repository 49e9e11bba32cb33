return {
  scene = "plummer",
  grid = { n = { 32, 0 } },
  random = { samples = 100, softening = { min = 0.5, max = 3 } },
  run = { steps = 1 },
}

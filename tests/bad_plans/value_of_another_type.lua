return {
  scene = "plummer",
  grid = { n = { 32, 64.5 } },
  run = { steps = 1 },
}

return {
  scene = "plummer",
  grid = { seed = { 1, 2 } },
  repeats = 2,
}

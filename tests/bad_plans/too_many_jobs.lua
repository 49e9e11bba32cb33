return {
  scene = "plummer",
  grid = { n = { min = 10, max = 5000, count = 2000, whole = true } },
  repeats = 1000,
}

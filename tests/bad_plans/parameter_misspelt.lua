return {
  scene = "plummer",
  set = { n = 32 },
  grid = {
    sofetning = { 0.1, 0.2 },
  },
  run = { steps = 1 },
}

return {
  scene = "plummer",
  list = { { n = 10 }, 20 },
}

return {
  scene = "plummer",
  gird = { n = { 10, 20 } },
  reapeats = 2,
}

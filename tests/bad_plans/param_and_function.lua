local n = param("n", 10)
return {
  scene = "plummer",
  grid = { n = { n, n + 1 }, softening = { function() end } },
  on_start = function() end,
}

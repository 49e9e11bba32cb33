return {
  integrator = { dt = 1 },
  species = { star = { color = "#ffcc88" }, gas = { color = "red" }, dust = { colour = "#000000" } },
  bodies = { plummer { n = 3, species = "stars" }, { mass = 1, position = { 0, 0, 0 }, species = 3 } },
}

return {
  scene = "galaxies",
  grid = { ["gravity.softening"] = { "1 Myr" } },
  set = { n = 1024 },
  run = { time = "3 kpc" },
}

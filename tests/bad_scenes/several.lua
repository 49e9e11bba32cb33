-- Everything is reported at once, in the order of the lines.
return {
  titel = "Several mistakes",
  units = "galatic",
  gravity = { softening = -1, constnt = 2 },
  integrator = { "yoshida5", dt = 0 },
  bodies = {
    { mass = "heavy", position = { 0, 0, 0 } },
    plummer { mass = 1, cutof = 5 },
  },
  stop = { time = 1, step = 5 },
  view = {
    color = "spede",
    camera = { distance = 0, elevation = 100 },
  },
}

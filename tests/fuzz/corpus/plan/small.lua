return { scene = "plummer", max_failures = 2, run = { time = "2 Myr", precision = "double" },
  list = { { seed = 1 }, { seed = 2 } }, random = { samples = 4, softening = { min = "0.1 pc", max = "2 pc" } },
  latin_hypercube = { samples = 4, count = { min = 8, max = 64, whole = true } } }

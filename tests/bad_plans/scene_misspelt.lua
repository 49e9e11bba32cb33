return { scene = "plumer", grid = { n = { 10, 20 } } }

return { grid = { n = { 10, 20 } } }

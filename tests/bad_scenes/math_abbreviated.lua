return { integrator = { dt = math.rand() }, bodies = { plummer { n = 10 } } }

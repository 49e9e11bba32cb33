return { integrator = { dt = 0.01 }, bodies = { uniform { acceleration = { 0, 0, -1 } } } }

return {
  integrator = { dt = 0.01 },
  bodies = {
    { mass = 1 },

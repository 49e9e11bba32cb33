return {
  integrator = { dt = 1 },
  bodies = {
    include("parts/mistakes.lua"),
    { mass = -1, position = { 0, 0, 0 } },
  },
}

return {
  integrator = { dt = 1 },
  bodies = { include("parts/none.lua") },
}

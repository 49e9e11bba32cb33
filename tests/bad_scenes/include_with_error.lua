return {
  integrator = { dt = 1 },
  bodies = { include("parts/error.lua") },
}

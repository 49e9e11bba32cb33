return {
  integrator = { dt = 1 },
  bodies = { include("../secret.lua") },
}

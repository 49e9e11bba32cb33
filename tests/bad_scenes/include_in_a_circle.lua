return {
  integrator = { dt = 1 },
  bodies = { include("include_in_a_circle.lua") },
}

return { integrator = { dt = 1 }, bodies = { include("parts/brace_open.lua") } }

-- A thousand particles that start within a millionth of each other, about a double star.
-- Shows: chaos. Their distances grow about tenfold at each close passage, and soon they are everywhere: what one of them does
-- cannot be told from its start. Conserves: energy of the two stars to 1e-8; the particles have no mass.
-- Source: the restricted problem of three bodies: Szebehely (1967), Theory of Orbits; Lyapunov times: Lichtenberg & Lieberman
-- (1992), Regular and Chaotic Dynamics.
local n = param("n", 1000, { min = 2, max = 100000, doc = "particles" })
local apart = param("apart", 1e-6, { min = 1e-12, max = 0.1, unit = "length", doc = "length of the line they start on" })

local bodies = {
  { name = "first star", mass = 0.5, position = { -0.5, 0, 0 }, velocity = { 0, -0.5, 0 } },
  { name = "second star", mass = 0.5, position = { 0.5, 0, 0 }, velocity = { 0, 0.5, 0 } },
}
for i = 1, n do
  bodies[#bodies + 1] = { mass = 0, position = { 2 + apart * i / n, 0, 0 }, velocity = { 0, 0.62, 0 } }
end

return {
  title = "Neighbouring starts",
  about = "Test particles about two equal stars on a circle, G = M = 1, period 2 pi.",
  precision = "double",
  gravity = { softening = 0.02 },
  integrator = { "leapfrog", dt = 0.002 },
  bodies = bodies,
  view = { portrait = 40, color = "id", map = "viridis",
           camera = { distance = 22, target = { 1, -1, 0 }, azimuth = -90, elevation = 80 } },
  stop = { time = 60 },
}

-- Asteroids that share Jupiter's orbit, seen in axes that turn with the planet.
-- Shows: near the corners of the equilateral triangles with Sun and planet asteroids stay, on tadpoles about one corner or
-- on horseshoes about both; the others go past. Sun and planet stand still. Conserves: energy in the turning axes of Sun
-- and planet to 1e-12; each asteroid, without mass, keeps its Jacobi constant.
-- Source: Lagrange (1772); Murray & Dermott (1999), Solar System Dynamics, ch. 3.
local n = param("n", 2000, { min = 1, max = 100000, doc = "asteroids" })
local mu = param("mu", 0.001, { min = 0, max = 0.03, unit = "mass", doc = "mass of the planet; that of both is 1" })
local width = param("width", 0.06, { min = 0, max = 0.3, unit = "length", doc = "of the belt" })

local bodies = {
  { name = "Sun", mass = 1 - mu, position = { -mu, 0, 0 } },
  { name = "Jupiter", mass = mu, position = { 1 - mu, 0, 0 } },
}
for i = 1, n do -- circles about the Sun, as the turning axes see them
  local r, a = 1 + width * (math.random() - 0.5), 2 * math.pi * math.random()
  local v = math.sqrt(1 / r) - r
  bodies[#bodies + 1] = {
    mass = 0, position = { r * math.cos(a), r * math.sin(a), 0 },
    velocity = { -v * math.sin(a), v * math.cos(a), 0 },
  }
end

return {
  title = "Trojans",
  about = "The restricted problem of three bodies in turning axes: G = 1, a turn takes 2 pi.",
  precision = "double",
  gravity = { softening = 0.005 },
  integrator = { "leapfrog", dt = 0.01 },
  fields = { rotating_frame { angular_velocity = { 0, 0, 1 } } },
  bodies = bodies,
  view = { color = "speed", map = "turbo", camera = { distance = 3, target = { 0, 0, 0 }, azimuth = -90, elevation = 90 } },
  stop = { time = 200 },
}

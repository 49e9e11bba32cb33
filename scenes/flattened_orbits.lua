-- Stars in the fixed gravity of a thick disc.
-- Shows: in a flattened potential with an axis most orbits are tubes: each star fills a ring with sharp edges, and has a third
-- integral beside energy and angular momentum. Let go without turning, stars fill boxes instead. Conserves: energy to 2e-5 and
-- the angular momentum about z to rounding; the stars do not feel each other.
-- Source: Miyamoto & Nagai (1975), PASJ 27, 533; Binney & Tremaine (2008), section 3.2.
local n = param("n", 400, { min = 1, max = 100000, doc = "stars" })
local turning = param("turning", 0.6, { min = 0, max = 1, doc = "velocity, in parts of that of a circle" })

local stars = {}
for i = 1, n do
  local r = 4 + 6 * i / n
  local circular = math.sqrt(43009.1727 * 10 * r ^ 2 / (r ^ 2 + 3.3 ^ 2) ^ 1.5) -- G M r^2 / (r^2 + (a + b)^2)^1.5
  local a = 2 * math.pi * math.random()
  stars[i] = {
    mass = 1e-10, position = { r * math.cos(a), r * math.sin(a), 1 },
    velocity = { -turning * circular * math.sin(a), turning * circular * math.cos(a), 0 },
  }
end

return {
  title = "Orbits in a thick disc",
  about = "Test stars in the potential of Miyamoto and Nagai, 1e11 solar masses.",
  units = "galactic",
  precision = "double",
  integrator = { "leapfrog", dt = 2e-4 },
  fields = { miyamoto_nagai { mass = 10, scale_length = 3, scale_height = 0.3 } },
  bodies = stars,
  view = { color = "radius", map = "viridis", camera = { distance = 22, target = { 0, 0, 0 }, elevation = 25 } },
  stop = { time = 1 },
}

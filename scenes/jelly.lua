-- Soft balls fall down a flight of steps, flatten and bounce.
-- Shows: bodies that give and keep their volume; boxes as obstacles.
-- Loses energy: steps that meet constraints take some, and so does every blow; balls do not feel each other.
-- Source: Macklin, Mueller & Chentanez (2016), Proc. Motion in Games, 49. The equations are in docs/physics/soft.md.
local balls = param("balls", 4, { min = 1, max = 40, doc = "how many, one beside the other" })
local give = param("give", 1e-2, { min = 0, max = 1, doc = "compliance of their edges [m/N]" })
local across = param("across", 9, { min = 3, max = 30, doc = "bodies along a diameter" })

local radius, gap = 0.25, 0.6
local steps, high, deep = 5, 0.3, 0.6

local obstacles = { plane { normal = { 0, 0, 1 } } }
for i = 1, steps do
  local top = (steps - i + 1) * high
  table.insert(obstacles, box { center = { (i - 0.5) * deep, 0, 0.5 * top }, size = { deep, balls * gap + 1, top } })
end

local bodies = {}
for i = 1, balls do
  table.insert(bodies, soft_ball { across = across, radius = radius, mass = 4, compliance = give * i,
                                   compressibility = 1e-6, inclination = 17 * i,
                                   position = { 0.3, (i - 0.5 * (balls + 1)) * gap, steps * high + radius + 0.3 },
                                   velocity = { 1, 0, 0 } })
end

return {
  title = "Jelly",
  about = "Soft balls on steps, each softer than the one before.",
  units = "si",
  soft = { friction = 0.5, damping = 2e-3, iterations = 2 },
  fields = { uniform { acceleration = { 0, 0, -9.81 } } },
  obstacles = obstacles,
  integrator = { dt = 5e-4 },
  bodies = bodies,
  view = { color = "speed", map = "inferno", bodies = "spheres", occlusion = 1, shadow = 1, radius = 0.03,
           camera = { distance = 6, azimuth = 60, elevation = 25, target = { 1.6, 0, 0.6 } } },
  stop = { time = 1 },
}

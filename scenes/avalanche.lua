-- A block of grains slides down a slope, runs out on the flat and parts at a post.
-- Shows: planes and a cylinder as obstacles; how far grains run follows from friction and how hard they roll.
-- Loses energy: grains do where they bounce and rub.
-- Source: Savage & Hutter (1989), J. Fluid Mech. 199, 177; a friction of mu holds what lies on slopes below atan(mu). The equations are in
-- docs/physics/grains.md.
local slope = param("slope", 35, { min = 5, max = 60, doc = "degrees" })
local friction = param("friction", 0.5, { min = 0, max = 2, doc = "of grains and ground" })
local rolling = param("rolling", 0.15, { min = 0, max = 0.5, doc = "rolling friction: how angular grains are" })
local post = param("post", true, { doc = "whether a post stands in the way" })

local size, wide = 0.006, 0.24
local a = math.rad(slope)
local step = 2.3 * size
local across = math.floor(wide / step)
local along, high = 16, 6

-- The block, from half a metre up the slope on; x runs down, the slope ends at the origin.
local bodies = {}
for i = 0, along - 1 do
  for j = 0, across - 1 do
    for k = 0, high - 1 do
      local s, h = 0.5 + i * step, 1.25 * size + k * step
      table.insert(bodies, { position = { -s * math.cos(a) + h * math.sin(a), (j + 0.5) * wide / across - 0.5 * wide,
                                          s * math.sin(a) + h * math.cos(a) } })
    end
  end
end

local obstacles = { plane { normal = { math.sin(a), 0, math.cos(a) } }, plane { normal = { 0, 0, 1 } } }
if post then table.insert(obstacles, cylinder { center = { 0.12, 0, 0 }, radius = 0.03 }) end

return {
  title = "Avalanche",
  about = "Grains of 12 mm on a slope, periodic across it.",
  units = "si",
  domain = { size = { 0, wide, 0 }, x = "open", y = "periodic", z = "open" },
  fields = { uniform { acceleration = { 0, 0, -9.81 } } },
  grains = { radius = size, spread = 0.1, density = 2500, young_modulus = 2e6, restitution = 0.5, friction = friction,
             rolling_friction = rolling },
  obstacles = obstacles,
  integrator = { dt = 1.5e-4 },
  bodies = bodies,
  health = { escape_radius = 10 },
  view = { color = "speed", map = "inferno", bodies = "spheres", occlusion = 1, shadow = 1,
           camera = { distance = 1.4, azimuth = -60, elevation = 30, target = { -0.16, 0, 0.1 } } },
  stop = { time = 1.8 },
}

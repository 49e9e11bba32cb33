-- Grains of two colours are mixed in a drum that turns.
-- Shows: an obstacle that moves. The surface stands at the angle at which grains begin to slip, and they roll down it.
-- Loses energy: grains do where they bounce and rub; the drum gives some.
-- Source: the motion follows the Froude number w^2 R / g: slumping, rolling, cascading (Mellmann 2001, Powder Technol. 118, 251). Here it is
-- 0.05, between rolling and cascading. The equations are in docs/physics/grains.md.
local rate = param("rate", 3, { min = 0, max = 30, doc = "radians per second" })
local friction = param("friction", 0.6, { min = 0, max = 2, doc = "of grains and drum" })
local wide = param("wide", 0.04, { min = 0.02, max = 0.2, doc = "of the drum along its axis, in m; it is periodic" })

local R, size = 0.06, 0.0025
local step = 2.25 * size
local across = math.floor(wide / step)
local bodies = {}
for k = -12, 0 do
  for i = -12, 11 do
    local x, z = (i + 0.5) * step, k * step
    if math.sqrt(x * x + z * z) < R - 1.25 * size then
      for j = 0, across - 1 do
        table.insert(bodies, { position = { x, (j + 0.5) * wide / across - 0.5 * wide, z }, species = x < 0 and "left" or "right" })
      end
    end
  end
end

return {
  title = "Rotating drum",
  about = "A drum of 12 cm, half full, periodic along its axis.",
  units = "si",
  domain = { size = { 0, wide, 0 }, x = "open", y = "periodic", z = "open" },
  fields = { uniform { acceleration = { 0, 0, -9.81 } } },
  species = { left = { color = "#e8b04a" }, right = { color = "#4a90e8" } },
  grains = { radius = size, spread = 0.1, density = 2500, young_modulus = 5e5, restitution = 0.5, friction = friction,
             rolling_friction = 0.05 },
  obstacles = { cylinder { axis = { 0, 1, 0 }, radius = R, container = true, friction = 0.9, angular_velocity = { 0, rate, 0 } } },
  integrator = { dt = 1.5e-4 },
  bodies = bodies,
  health = { escape_radius = 1 },
  view = { color = "species", bodies = "spheres", occlusion = 1, shadow = 1,
           camera = { distance = 0.22, azimuth = -90, elevation = 8, target = { 0, 0, 0 } } },
  stop = { time = 4 },
}

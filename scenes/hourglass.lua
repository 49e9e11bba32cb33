-- Grains run through the neck of an hourglass and pile up below it.
-- Shows: grains in a container out of a mesh file. They run out evenly, however high they stand, as water would not.
-- Loses energy: grains do where they bounce and rub.
-- Source: 0.58 sqrt(g) (D - 1.4 d)^2.5 times the bulk density is the mass that runs out in a second (Beverloo, Leniger & van de Velde
-- 1961, Chem. Eng. Sci. 15, 260): here all of them in one to two seconds. The equations are in docs/physics/grains.md.
local n = param("n", 1500, { min = 1, max = 2500, doc = "grains" })
local friction = param("friction", 0.4, { min = 0, max = 2, doc = "of grains and glass" })

-- The radius of the glass at a height, as data/hourglass.obj has it.
local function inside(z)
  local s = math.min(math.abs(z) / 0.07, 1)
  if s < 1 then return 0.0135 + 0.0365 * s * s * (3 - 2 * s) end
  return 0.05 * math.sqrt(math.max(0, 1 - ((math.abs(z) - 0.07) / 0.03) ^ 2))
end

-- Places of a lattice in the upper half, from the neck up.
local size = 0.0025
local bodies, step = {}, 2.24 * size
local z = 0.012
while #bodies < n and z < 0.1 do
  for i = -9, 9 do
    for j = -9, 9 do
      local x, y = (i + 0.5) * step, (j + 0.5) * step
      local room = math.min(inside(z), inside(z + 0.003), inside(z - 0.003)) - 0.0034
      if #bodies < n and x * x + y * y < room * room then table.insert(bodies, { position = { x, y, z } }) end
    end
  end
  z = z + step
end

return {
  title = "Hourglass",
  about = "Grains of 5 mm in a glass 20 cm high, softer than real ones.",
  units = "si",
  fields = { uniform { acceleration = { 0, 0, -9.81 } } },
  grains = { radius = size, spread = 0.1, density = 2500, young_modulus = 2e6, restitution = 0.6, friction = friction,
             rolling_friction = 0.02 },
  obstacles = { mesh { file = "data/hourglass.obj", container = true } },
  integrator = { dt = 8e-5 },
  bodies = bodies,
  health = { escape_radius = 1 },
  view = { portrait = 0.3, color = "speed", map = "viridis", bodies = "spheres", occlusion = 1, shadow = 1,
           camera = { distance = 0.36, azimuth = -90, elevation = 8, target = { 0, 0, 0 } } },
  stop = { time = 2 },
}

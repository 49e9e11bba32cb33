-- A turning cloud of grains falls together under its own gravity and packs into a small world.
-- Shows: grains and gravity in one scene: clumps bounce, stick by friction, and become a flattened heap without any bonds.
-- Loses energy: grains do where they bounce and rub.
-- Source: Richardson, Quinn, Stadel & Lake (2000), Icarus 143, 45, for the method; Chandrasekhar (1969), Ellipsoidal Figures of
-- Equilibrium, for the flattening of what turns. The equations are in docs/physics/grains.md and docs/physics/gravity.md.
local n = param("n", 600, { min = 10, max = 100000, doc = "grains" })
local turning = param("turning", 0.5, { min = 0, max = 1, doc = "angular velocity of the cloud, in units of that of circular orbits" })
local restitution = param("restitution", 0.4, { min = 0, max = 1, doc = "of grains" })

-- As many grains as a lattice has in a ball of radius 1, of one size, with a filling of 0.1 at the start.
local spacing = (4 / 3 * math.pi / n) ^ (1 / 3)
local size = 0.29 * spacing
local half = math.ceil(1 / spacing)
local bodies = {}
for i = -half, half do
  for j = -half, half do
    for k = -half, half do
      -- Beside the lattice by a little, so that nothing is even.
      local x = spacing * (i + 0.2 * math.sin(12.9 * i + 78.2 * j + 37.7 * k))
      local y = spacing * (j + 0.2 * math.sin(39.3 * i + 11.1 * j + 83.2 * k))
      local z = spacing * (k + 0.2 * math.sin(73.2 * i + 52.2 * j + 9.15 * k))
      if x * x + y * y + z * z < 1 then table.insert(bodies, { position = { x, y, z }, mass = 1 / n }) end
    end
  end
end

return {
  title = "Planetesimal",
  about = "Grains with gravity, G = M = R = 1 for the cloud.",
  gravity = {},
  grains = { model = "linear", stiffness = 4000 / n ^ (2 / 3), radius = size, restitution = restitution, friction = 0.5,
             rolling_friction = 0.05 },
  integrator = { dt = 0.005 / math.sqrt(n) },
  bodies = { spin(bodies, { axis = { 0, 0, 1 }, rate = turning }) },
  health = { escape_radius = 20 },
  view = { color = "speed", map = "inferno", bodies = "spheres", camera = { distance = 2, elevation = 25, target = { 0, 0, 0 } } },
  stop = { time = 3.5 },
}

-- Water falls on a wheel, which turns against a brake.
-- Shows: obstacles as walls of a fluid, an axle that the water turns, forces and torques on obstacles in series.csv.
-- Loses energy: water that comes and goes, its impacts, and the brake. Once the wheel turns evenly, the torque of the water is that
-- of the brake. Its power, brake * angular_velocity^2, is a part of that of the water, which falls by the height of the wheel.
-- Source: Smeaton (1759), Phil. Trans. R. Soc. 51, 100, measured an efficiency of 63 % with buckets; flat paddles spill early, and
-- have 18 % here.
local brake = live("brake", 300, { min = 0, max = 1e5, doc = "torque by angular velocity, per metre of depth" })
local paddles = param("paddles", 8, { min = 3, max = 12, doc = "of the wheel" })

local dx = param("spacing", 0.02, { min = 0.005, max = 0.04, unit = "length", doc = "of the particles of water" })

local gravity = 9.81
local hub, rim, thick = 0.22, 0.62, 4 * dx  -- as thick as particles feel each other
local speed, depth = 1.8, 0.05              -- of the jet, and half of its height
local fastest = 5.5                         -- of water that falls beside the wheel

-- A cylinder and paddles of one name are one solid.
local wheel = { cylinder { name = "wheel", radius = hub, length = 0.2 } }
for k = 1, paddles do
  local angle = 2 * math.pi * k / paddles
  local middle = 0.5 * (0.9 * hub + rim)
  table.insert(wheel, box { name = "wheel", size = { rim - 0.9 * hub, thick, 0.2 }, rotation = { 0, 0, math.deg(angle) },
                            center = { middle * math.cos(angle), middle * math.sin(angle), 0 } })
end

return {
  title = "Water wheel",
  about = "Water turns a wheel until its torque is that of the brake.",
  units = "si",
  precision = "double",
  fluid = { dimensions = 2, spacing = dx, density = 1000, largest_speed = fastest, artificial_viscosity = 0.05, walls = "free_slip" },
  fields = { uniform { acceleration = { 0, -gravity, 0 } } },
  obstacles = { wheel },
  axles = { { name = "wheel", inertia = 60, brake = brake } },
  species = { water = { color = "#3a78b8" } },
  bodies = { { species = "water", mass = 1000 * dx ^ 2, position = { -0.4, rim + 0.12, 0 }, velocity = { speed, 0, 0 } } },
  emitters = { { species = "water", position = { -0.25, rim + 0.12, 0 }, direction = { 1, 0, 0 }, radius = depth, speed = speed, most = 20000 } },
  drains = { { low = { -10, -10, -1 }, high = { 10, -1, 1 } } },
  integrator = { dt = 0.25 * 2 * dx / (11 * fastest) * 0.6 },
  series = { steps = 20 },
  view = { color = "speed", bodies = "spheres", portrait = 4, camera = { distance = 2.6, target = { 0, 0, 0 }, azimuth = -90, elevation = 90 } },
  stop = { time = 6 },
}

-- A cloth falls over a ball, slides a little, folds and comes to rest.
-- Shows: cloth that does not stretch, bends a little and rubs on what it falls on.
-- Loses energy: steps that meet constraints take some, the air and the ball the rest.
-- Source: Macklin, Mueller & Chentanez (2016), Proc. Motion in Games, 49. The equations are in docs/physics/soft.md.
local across = param("across", 61, { min = 8, max = 400, doc = "bodies along each side" })
local friction = param("friction", 0.4, { min = 0, max = 2, doc = "of cloth and ball" })
local bend = param("bend", 3e4, { min = 0, max = 1e9, doc = "how easily it bends [1/J]; 0: freely" })
local turning = param("turning", 0, { min = -20, max = 20, doc = "of the ball about the vertical [rad/s]" })

local size, radius = 2, 0.5

return {
  title = "Cloth",
  about = "A sheet of 2 m and 1.2 kg over a ball of 1 m.",
  units = "si",
  soft = { friction = friction, thickness = 0.02, drag = 0.3, damping = 0.002 },
  fields = { uniform { acceleration = { 0, 0, -9.81 } } },
  obstacles = {
    sphere { radius = radius, angular_velocity = { 0, 0, turning } },
    plane { point = { 0, 0, -0.9 }, normal = { 0, 0, 1 }, friction = 0.6 },
  },
  integrator = { dt = 5e-4 },
  bodies = {
    cloth { counts = { across, across }, size = { size, size }, mass = 1.2, stretch_compliance = 1e-5,
            bend_compliance = bend, node = 20, position = { 0.05, 0, radius + 0.1 } },
  },
  view = { color = "speed", map = "inferno", bodies = "spheres", occlusion = 1, shadow = 1, radius = 0.018,
           camera = { distance = 4.4, azimuth = 30, elevation = 25, target = { 0, 0, 0 } } },
  stop = { time = 3 },
}

-- Cannon balls shot at every angle, with and without air.
-- Shows: in vacuum complementary angles reach equally far and 45 degrees farthest; in air the arcs lean over, and the best
-- angle is lower. Loses energy: the air takes it. Without drag the energy is conserved to 1e-9.
-- Source: Newton's drag, |a| = k v^2; de Mestre (1990), The Mathematics of Projectiles in Sport, ch. 5.
local drag_rate = live("drag", 0.002, { min = 0, max = 0.1, doc = "deceleration per speed squared, in 1/m" })
local speed = param("speed", 100, { min = 1, max = 1000, unit = "velocity", doc = "of every ball" })

local balls = {}
for angle = 5, 85, 5 do
  local a = math.rad(angle)
  balls[#balls + 1] = {
    name = angle .. " degrees", mass = 5, position = { 0, 0, 0 }, velocity = { speed * math.cos(a), 0, speed * math.sin(a) },
  }
end

return {
  title = "Projectiles in air",
  about = "Seventeen balls leave a cannon at once; SI units, no ground.",
  units = "si",
  integrator = { "leapfrog", dt = 0.01 },
  fields = { uniform { acceleration = { 0, 0, -9.81 } }, drag { quadratic = drag_rate } },
  bodies = balls,
  view = {
    portrait = 8, color = "id", map = "turbo", bodies = "spheres", trails = "on",
    camera = { distance = 1000, target = { 300, 0, 40 }, azimuth = -90, elevation = 0 },
  },
  stop = { time = 12 },
}

-- Foucault's pendulum: a swing seen from the ground of a planet that turns.
-- Shows: the plane of the swing turns clockwise, once while the planet turns by 1 / sin(latitude). The path is a rosette with
-- cusps, as the weight is let go at rest. Conserves: energy in the turning axes (with the centrifugal part) to 1e-5.
-- Source: Foucault (1851), Comptes rendus 32, 135; Landau & Lifshitz, Mechanics, section 39.
local latitude = param("latitude", 49, { min = -90, max = 90, unit = "angle", doc = "of the place" })
local turns = param("turns", 24, { min = 2, max = 1000, doc = "swings while the planet turns once" })

return {
  title = "Foucault pendulum",
  about = "A pendulum of period 1 in axes that turn; small swings, so that both directions are springs.",
  precision = "double",
  integrator = { "leapfrog", dt = 0.001 },
  fields = {
    harmonic_trap { rates = { 2 * math.pi, 2 * math.pi, 2 * math.pi } },
    rotating_frame { angular_velocity = { 0, 0, 2 * math.pi * math.sin(math.rad(latitude)) / turns } },
  },
  bodies = { { name = "bob", mass = 1, position = { 1, 0, 0 } } },
  view = {
    color = "speed", bodies = "spheres", trails = "on",
    camera = { distance = 3.2, target = { 0, 0, 0 }, azimuth = -90, elevation = 90 },
  },
  stop = { time = turns },
}

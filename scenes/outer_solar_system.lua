-- The Sun, the four giant planets and Pluto for a century.
-- Shows: what a sixth-order symplectic integrator is worth. With a step of five days every planet stays within
-- 1e-9 au of positions from 113-bit arithmetic. Conserves: energy to 1e-13, momentum and angular momentum to rounding.
-- Source: initial conditions of Applegate et al. (1986), AJ 92, 176.
return {
  title = "Outer Solar System",
  about = "Sun, Jupiter, Saturn, Uranus, Neptune and a massless Pluto over 100 Julian years.",
  units = "solar",
  precision = "double",
  gravity = { softening = 0 },
  integrator = { "yoshida6", dt = 5 },
  bodies = { csv { file = "data/outer_solar_system.csv" } },
  series = { steps = 73 },
  view = { color = "id", map = "turbo", camera = { distance = 115, target = { 0, 0, 0 }, azimuth = 0, elevation = 50 } },
  stop = { time = 36525 },
}

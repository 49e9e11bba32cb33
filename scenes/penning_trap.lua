-- Charged particles in a Penning trap: a magnetic field along z and a quadrupole that holds them along it.
-- Shows: three motions of each particle at once, the fast cyclotron one, the axial one and the slow magnetron drift, as
-- b^2 > 2 axial^2. The field is written as formulas. Conserves: energy to 3e-4 (the potential is that of the quadrupole, the
-- magnetic force does no work). The particles do not feel each other.
-- Source: Brown & Gabrielse (1986), Rev. Mod. Phys. 58, 233.
local n = param("n", 2000, { min = 1, max = 1000000, doc = "particles" })
local b = param("b", 6, { min = 0, max = 50, doc = "cyclotron frequency, in radians a time" })
local axial = param("axial", 2, { min = 0, max = 20, doc = "axial frequency, in radians a time" })

return {
  title = "Penning trap",
  about = "Charges in crossed fields, by formulas.",
  precision = "double",
  integrator = { "leapfrog", dt = 0.01 },
  fields = {
    field {
      acceleration = { "w^2 * x / 2 + b * vy", "w^2 * y / 2 - b * vx", "-w^2 * z" },
      potential = "w^2 * (2 * z^2 - x^2 - y^2) / 4",
      w = axial, b = b,
    },
  },
  bodies = { uniform_sphere { n = n, mass = 1, radius = 1, velocity = { 0.5, 0, 0.5 } } },
  view = { color = "speed", map = "plasma", camera = { distance = 3.4, target = { 0, 0, 0 }, elevation = 25 } },
  stop = { time = 20 },
}

-- Sand falls into a hammock, which gives way under it.
-- Shows: soft bodies and grains in one scene: each body of the cloth is a small sphere that grains lie on, and that pushes back.
-- Loses energy: grains where they bounce and rub, cloth in the steps that meet its constraints and to the air.
-- Source: Macklin, Mueller & Chentanez (2016), Proc. Motion in Games, 49, and Cundall & Strack (1979), Geotechnique 29, 47. The
-- equations are in docs/physics/soft.md and docs/physics/grains.md.
local n = param("n", 9, { min = 1, max = 20, doc = "grains along each side of the block that falls" })
local friction = param("friction", 0.5, { min = 0, max = 2, doc = "of grains and cloth" })
local canvas = param("canvas", 4, { min = 0.5, max = 100, unit = "mass", doc = "mass of the cloth" })

local size = 0.018

return {
  title = "Hammock",
  about = "Canvas of 1.5 m by 1 m, held at its corners, and grains of nearly 4 cm, softer than real ones.",
  units = "si",
  species = { cloth = { matter = "soft", color = "#7fa6d8" }, sand = { matter = "grains", color = "#e3b96b" } },
  soft = { thickness = 0.024, drag = 0.5, damping = 0.002, iterations = 4 },
  grains = { radius = size, spread = 0.15, density = 1500, young_modulus = 4e5, restitution = 0.3, friction = friction,
             rolling_friction = 0.1 },
  fields = { uniform { acceleration = { 0, 0, -9.81 } } },
  integrator = { dt = 1.2e-4 },
  bodies = {
    cloth { counts = { 52, 35 }, size = { 1.5, 1 }, mass = canvas, stretch_compliance = 1e-6, pinned = "corners",
            species = "cloth" },
    translate(lattice { counts = { n, n, n }, spacing = 2.4 * size, dispersion = 0.05, mass = 1, species = "sand" },
              { 0, 0, 0.05 + 1.2 * n * size }),
  },
  view = { color = "species", bodies = "spheres", occlusion = 1, shadow = 1,
           camera = { distance = 2.7, azimuth = -65, elevation = 22, target = { 0, 0, -0.1 } } },
  stop = { time = 2 },
}

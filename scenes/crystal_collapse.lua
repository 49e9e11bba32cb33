-- A crystal of masses, at rest, falls together under its own gravity.
-- Shows: the corners and edges of a cube fall differently from its faces, and the lattice keeps its symmetry until rounding and
-- close passages break it. Conserves: energy to 3e-3 through the collapse, momentum (zero) to rounding.
-- Source: ellipsoids and other shapes collapse along their shortest way first: Lin, Mestel & Shu (1965), ApJ 142, 1431.
local cells = param("cells", 10, { min = 2, max = 100, doc = "along each side" })
local structure = param("structure", "fcc", { choices = { "cubic", "bcc", "fcc" }, doc = "of the crystal" })

return {
  title = "Crystal collapse",
  about = "A cube cut out of a crystal of side 2 and mass 1 collapses, G = 1.",
  gravity = { softening = 0.03 },
  integrator = { "leapfrog", dt = 0.002 },
  bodies = { lattice { counts = { cells, cells, cells }, mass = 1, spacing = 2 / cells, structure = structure } },
  view = { portrait = 1.2, color = "speed", map = "magma", camera = { distance = 4.6, target = { 0, 0, 0 }, azimuth = 25, elevation = 20 } },
  stop = { time = 4 },
}

-- Two dark-matter halos fall together and become one.
-- Shows: the halos pass through each other, turn back and lose the energy of their orbit to the stars of each: in the end one
-- halo is left, whose profile is much like those it came from. Colours tell from which halo a star came. Conserves: energy to
-- 1e-4 with this step, momentum to rounding.
-- Source: Hernquist (1990), ApJ 356, 359; White (1978), MNRAS 184, 185.
local n = param("n", 16384, { min = 32, max = 1000000000, doc = "bodies in all" })
local ratio = param("ratio", 0.5, { min = 0.05, max = 1, doc = "mass of the lighter halo" })
local offset = param("offset", 2, { min = 0, max = 10, unit = "length", doc = "by which they would miss each other" })
local heavy = math.floor(n / (1 + ratio))

local function halo(species, count, mass, x, y, vx)
  return hernquist {
    n = count, species = species, mass = mass, scale = mass ^ 0.5, cutoff = 10,
    position = { x, y, 0 }, velocity = { vx, 0, 0 },
  }
end

return {
  title = "Halo merger",
  about = "A halo falls into one of twice its mass, G = 1.",
  gravity = { softening = 0.05 },
  integrator = { "leapfrog", dt = 0.02 },
  species = { heavier = { color = "#ffb060" }, lighter = { color = "#3d7bff" } },
  bodies = { halo("heavier", heavy, 1, -3 * ratio, 0, 0.25 * ratio), halo("lighter", n - heavy, ratio, 3, offset, -0.25) },
  view = { color = "species", camera = { distance = 24, target = { 0, 0, 0 }, azimuth = -90, elevation = 70 } },
  stop = { time = 30 },
}

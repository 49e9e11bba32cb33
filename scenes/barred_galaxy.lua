-- A disc galaxy grows spiral arms and a bar inside a dark halo of bodies.
local n = param("n", 32768, { min = 64, max = 100000000, doc = "bodies in all" })
local q = param("q", 1.1, { min = 0.5, max = 3, doc = "Toomre's Q of the disc: cool discs form bars sooner" })

local function part(name, count, species)
  return galaxy {
    part = name, n = count, species = species, disk_mass = 5, scale_length = 3, toomre_q = q,
    bulge_mass = 0.5, bulge_scale = 0.5, halo_mass = 20, halo_scale = 12, halo_cutoff = 8,
  }
end

return {
  title = "Barred galaxy",
  units = "galactic",
  gravity = { softening = 0.15, accuracy = 1e-3 },
  integrator = { "leapfrog", dt = 5e-4 },
  species = { stars = { color = "#9fb8ff" }, bulge = { color = "#ffc890" }, halo = { color = "#000000" } },
  bodies = {
    part("disk", n // 2, "stars"), part("bulge", n // 16, "bulge"), part("halo", n - n // 2 - n // 16, "halo"),
  },
  view = { color = "species", camera = { distance = 40, target = { 0, 0, 0 }, azimuth = -90, elevation = 65 } },
  stop = { time = 1.5 },
}

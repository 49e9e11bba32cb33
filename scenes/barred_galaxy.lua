-- A disc galaxy grows spiral arms and a bar inside a dark halo of bodies.
-- Shows: a heavy, cool disc is unstable: two arms wind up within half a turn, and their centre becomes a bar, which gives
-- its angular momentum to the halo. The halo is nearly black in pictures. A million bodies (--set n=1000000, for a GPU)
-- start with less noise: arms are finer, and the bar comes later (--until 1.5). Conserves: energy to 4e-4 with this step and
-- softening, momentum and angular momentum to the errors of the forces.
-- Source: Hernquist (1993), ApJS 86, 389; Ostriker & Peebles (1973), ApJ 186, 467; Athanassoula (2002), ApJ 569, L83.
local n = param("n", 32768, { min = 64, max = 1000000000, doc = "bodies in all, half of them in the disc" })
local q = param("q", 1.1, { min = 0.5, max = 3, doc = "Toomre's Q of the disc: a cool disc makes a bar sooner" })
local halo = param("halo", 20, { min = 1, max = 200, unit = "mass", doc = "mass of the halo: a heavy one calms the disc" })

local function part(name, count, species)
  return galaxy {
    part = name, n = count, species = species, disk_mass = 5, scale_length = 3, toomre_q = q,
    bulge_mass = 0.5, bulge_scale = 0.5, halo_mass = halo, halo_scale = 12, halo_cutoff = 8,
  }
end

return {
  title = "Barred galaxy",
  about = "A disc of 5e10 solar masses in a halo of four times that mass.",
  units = "galactic",
  gravity = { softening = 0.15, accuracy = 1e-3 },
  integrator = { "leapfrog", dt = 1e-3 },
  species = { stars = { color = "#9fb8ff" }, bulge = { color = "#ffc890" }, halo = { color = "#080a10" } },
  bodies = {
    part("disk", n // 2, "stars"), part("bulge", n // 16, "bulge"), part("halo", n - n // 2 - n // 16, "halo"),
  },
  view = { color = "species", camera = { distance = 40, target = { 0, 0, 0 }, azimuth = -90, elevation = 65 } },
  stop = { time = 0.45 },
}

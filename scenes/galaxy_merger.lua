-- Two disc galaxies with dark halos of bodies fall together, draw out long tails and become one.
-- Shows: at the first passage each disc throws out a tail and reaches for the other with a bridge. The halos take up the
-- energy of the orbit, so that the cores fall back and merge: --until 1 shows the elliptical galaxy that is left. Halos are
-- nearly black in pictures. Conserves: energy to 2e-4 with this step and softening, momentum to the errors of the forces.
-- Source: Toomre & Toomre (1972), ApJ 178, 623; Barnes (1988), ApJ 331, 699; galaxies after Hernquist (1993), ApJS 86, 389.
local n = param("n", 32768, { min = 128, max = 1000000000, doc = "bodies in all" })
local tilt = param("tilt", 50, { min = 0, max = 180, unit = "angle", doc = "inclination of the second disc" })
local speed = param("speed", 110, { min = 0, max = 300, unit = "velocity", doc = "of each galaxy at the start" })
local offset = param("offset", 10, { min = 0, max = 30, unit = "length", doc = "sideways, of each galaxy" })

local function part(name, count, species)
  return galaxy {
    part = name, n = count, species = species, disk_mass = 4, scale_length = 3, toomre_q = 1.3,
    bulge_mass = 1, bulge_scale = 0.8, halo_mass = 25, halo_scale = 12, halo_cutoff = 6,
  }
end

local function whole(count, species, side, inclination)
  local disk, bulge = count * 2 // 5, count // 16
  local parts = { part("disk", disk, species), part("bulge", bulge, "bulges"), part("halo", count - disk - bulge, "halos") }
  return place(parts, { inclination = inclination, position = { -25 * side, -offset * side, 0 }, velocity = { speed * side, 0, 0 } })
end

return {
  title = "Galaxy merger",
  about = "Two discs of 4e10 solar masses, each with a bulge and a halo of six times that mass.",
  units = "galactic",
  gravity = { softening = 0.2, accuracy = 1e-3 },
  integrator = { "leapfrog", dt = 5e-4 },
  species = { first = { color = "#8fb4ff" }, second = { color = "#ff9f6a" }, bulges = { color = "#ffe0b0" }, halos = { color = "#080a10" } },
  bodies = { whole(n // 2, "first", 1, 0), whole(n - n // 2, "second", -1, tilt) },
  view = { color = "species", camera = { distance = 95, target = { 0, 0, 0 }, azimuth = -90, elevation = 65 } },
  stop = { time = 0.3 },
}

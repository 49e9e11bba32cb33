-- Two disc galaxies with dark halos fall together, draw out tails and become one.
local n = param("n", 32768, { min = 128, max = 100000000, doc = "bodies in all" })
local tilt = param("tilt", 50, { min = 0, max = 180, unit = "angle", doc = "inclination of the second disc" })
local speed = param("speed", 70, { min = 0, max = 300, unit = "velocity", doc = "of each galaxy at the start" })
local offset = param("offset", 8, { min = 0, max = 30, unit = "length", doc = "sideways, of each galaxy" })

local function part(name, count, species)
  return galaxy {
    part = name, n = count, species = species, disk_mass = 4, scale_length = 3, toomre_q = 1.3,
    bulge_mass = 1, bulge_scale = 0.6, halo_mass = 25, halo_scale = 12, halo_cutoff = 6,
  }
end

local function whole(count, species, side, inclination)
  local disk, bulge = count * 2 // 5, count // 16
  local parts = { part("disk", disk, species), part("bulge", bulge, "bulges"), part("halo", count - disk - bulge, "halos") }
  return place(parts, { inclination = inclination, position = { -25 * side, -offset * side, 0 }, velocity = { speed * side, 0, 0 } })
end

return {
  title = "Galaxy merger",
  units = "galactic",
  gravity = { softening = 0.15, accuracy = 1e-3 },
  integrator = { "leapfrog", dt = 1e-3 },
  species = { first = { color = "#8fb4ff" }, second = { color = "#ff9f6a" }, bulges = { color = "#ffe0b0" }, halos = { color = "#000000" } },
  bodies = { whole(n // 2, "first", 1, 0), whole(n - n // 2, "second", -1, tilt) },
  view = { color = "species", camera = { distance = 130, target = { 0, 0, 0 }, azimuth = -90, elevation = 65 } },
  stop = { time = 1.5 },
}

-- Cold matter fills a periodic box, and small random waves in it grow into clumps.
-- Shows: gravity with all its periodic images: no edge falls in. Small waves all grow at one rate, (4 pi G rho)^(1/2) (Jeans),
-- until matter meets itself in sheets, and falls along them into clumps that merge. Conserves: energy to 1e-2 with this step
-- and softening, momentum to the errors of the forces.
-- Source: Jeans (1902), Phil. Trans. A 199, 1; Zel'dovich (1970), A&A 5, 84; images after Ewald (1921), Ann. Phys. 369, 253.
local side = param("side", 32, { min = 4, max = 1000, doc = "bodies along each side of the box" })
local amplitude = param("amplitude", 0.25, { min = 0, max = 2, doc = "rms of the density contrast at the start" })
local index = param("index", -1, { min = -4, max = 2, doc = "exponent of the power spectrum: 0 small structures" })

return {
  title = "Clustering in a periodic box",
  about = "A box with random waves of density, G = M = L = 1.",
  domain = { size = { 1, 1, 1 } },
  gravity = { softening = 0.2 / side, accuracy = 1e-3 },
  integrator = { "leapfrog", dt = 1 / 512 },
  bodies = {
    zeldovich {
      n = side ^ 3, shape = "box", mass = 1, size = 1, amplitude = amplitude, spectral_index = index, waves = math.min(side // 2, 64),
    },
  },
  view = { color = "speed", map = "inferno", box = true, camera = { distance = 2.7, target = { 0, 0, 0 }, azimuth = 30, elevation = 20 } },
  stop = { time = 1.25 },
}

-- Cold matter with small random waves expands, turns round and falls together into filaments and clumps.
-- Shows: how gravity makes a cosmic web. Where waves add up, matter runs together in sheets and filaments, along which it
-- flows into clumps; between them it leaves voids. More bodies show finer parts of the same web. Conserves: energy to 1e-4
-- with this step and softening, momentum to the errors of the forces.
-- Source: Zel'dovich (1970), A&A 5, 84; Bond, Kofman & Pogosyan (1996), Nature 380, 603.
local n = param("n", 40000, { min = 64, max = 1000000000, doc = "bodies" })
local amplitude = param("amplitude", 0.5, { min = 0, max = 2, doc = "rms of the density contrast at the start" })
local index = param("index", -2, { min = -4, max = 2, doc = "exponent of the power spectrum: 0 small structures" })
local waves = param("waves", 16, { min = 1, max = 64, doc = "shortest waves: so many fit into the sphere" })
local expansion = param("expansion", 0.7, { min = 0, max = 1, doc = "rate in critical ones: 1 expands for ever" })

return {
  title = "Filaments",
  about = "A sphere with random waves of density, G = M = R = 1.",
  gravity = { softening = 0.01, accuracy = 1e-3 },
  integrator = { "leapfrog", dt = 1 / 128 },
  bodies = {
    zeldovich {
      n = n, mass = 1, size = 2, amplitude = amplitude, spectral_index = index, waves = waves, expansion = expansion,
    },
  },
  view = { color = "speed", map = "inferno", camera = { distance = 6, target = { 0, 0, 0 } } },
  stop = { time = 2.5 },
}

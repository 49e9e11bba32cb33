-- Cold matter that expands, turns round and falls together into filaments and clumps.
local n = param("n", 32768, { min = 64, max = 100000000, doc = "bodies" })
local amplitude = param("amplitude", 0.3, { min = 0, max = 2, doc = "rms of the density contrast at the start" })
local index = param("index", -2, { min = -4, max = 2, doc = "exponent of the power spectrum of the waves" })
local waves = param("waves", 16, { min = 1, max = 64, doc = "shortest waves: so many fit into the sphere" })

return {
  title = "Filaments",
  about = "A sphere with random waves of density collapses, G = M = 1, radius 1.",
  gravity = { softening = 0.01, accuracy = 1e-3 },
  integrator = { "leapfrog", dt = 1 / 256 },
  bodies = {
    zeldovich { n = n, mass = 1, size = 2, amplitude = amplitude, spectral_index = index, waves = waves, expansion = 0.7 },
  },
  view = { color = "speed", map = "inferno", camera = { distance = 5, target = { 0, 0, 0 } } },
  stop = { time = 3 },
}

return {
  gravity = "multipole",
  integrator = "leapfrog",
  bodies = { plummer { n = 10 } },
  snapshots = 5,
  stop = 10,
  view = "light",
}

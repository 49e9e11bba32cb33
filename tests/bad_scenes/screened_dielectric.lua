return {
  lennard_jones = { cutoff = 2.5 },
  species = { a = { charge = 1 } },
  coulomb = { screening_length = 0.5, dielectric = 80 },
  integrator = { dt = 0.001 },
  bodies = { { mass = 1, position = { 0, 0, 0 }, species = "a" } },
}

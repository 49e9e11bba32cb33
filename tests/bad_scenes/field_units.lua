return {
  units = "si",
  integrator = { dt = 0.01 },
  gravity = { constant = "6.67e-11 m/s" },
  fields = {
    uniform { acceleration = { 0, 0, "-9.81 m/s" } },
    drag { linear = "10 deg/s", quadratic = "3 1/s" },
    harmonic_trap { rates = { "1 m", 0, 0 } },
    rotating_frame { angular_velocity = { 0, 0, "fast" } },
  },
  bodies = { ring { n = 3, spin = "10 m/s" } },
}

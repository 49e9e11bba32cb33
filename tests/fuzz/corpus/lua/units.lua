local v = param("speed", "29.78 km/s", { unit = "velocity", min = 0 })
return {
  units = "solar",
  gravity = { softening = "1e4 km" },
  integrator = { dt = "1 day" },
  bodies = {
    include("parts/sun.lua"),
    { name = "Earth", mass = units.Mearth(1), position = { "1 au", 0, "0 km" }, velocity = { 0, v, 0 } },
    spin(scale({ { mass = 1, position = { 1, 0, 0 } } }, { length = 2 }), { rate = "1 rad/day" }),
    place({ mass = 0, position = { 1, 0, 0 } }, { inclination = 90, node = "90 deg", position = { 0, 0, 5 } }),
  },
  stop = { time = "2 yr" },
}

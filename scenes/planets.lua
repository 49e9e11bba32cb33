-- The inner planets and Halley's comet, from their orbital elements at J2000.
-- Shows: elements go in, places and velocities come out; the comet, started 14 years after its perihelion, goes out to 35
-- au and comes back. Conserves: energy to 1e-7, momentum to rounding. The giant planets are left out, so that this is no
-- ephemeris.
-- Source: Standish, Approximate Positions of the Planets (JPL), table 1; Halley: JPL Small-Body Database.
local years = param("years", 2, { min = 0.1, max = 200, doc = "length of the run" })

-- Elements as tables give them: longitudes of the perihelion and of the planet instead of their anomalies.
local function planet(name, color, mass, a, e, inclination, longitude, perihelion, node)
  return orbit {
    name = name, color = color, mass = mass, central_mass = 1, semi_major_axis = a, eccentricity = e,
    inclination = inclination, node = node,
    argument_of_periapsis = perihelion - node, mean_anomaly = longitude - perihelion,
  }
end

return {
  title = "Planets by their elements",
  about = "Mercury to Mars and a comet about the Sun: au, days, solar masses.",
  units = "solar",
  gravity = {},
  integrator = { "yoshida4", dt = 0.5 },
  bodies = {
    { name = "Sun", color = "#ffd040", mass = 1, position = { 0, 0, 0 } },
    planet("Mercury", "#b0a498", 1.66e-7, 0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593),
    planet("Venus", "#e8c37a", 2.448e-6, 0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255),
    planet("Earth and Moon", "#4f8fd6", 3.040e-6, 1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0),
    planet("Mars", "#d3613d", 3.227e-7, 1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891),
    orbit {
      name = "Halley", color = "#9fd8e0", mass = 0, central_mass = 1, semi_major_axis = 17.834,
      eccentricity = 0.96714, inclination = 162.26,
      node = 58.42, argument_of_periapsis = 111.33, mean_anomaly = 66.40,
    },
  },
  view = {
    bodies = "spheres", trails = "on", orbits = true,
    camera = { distance = 5, target = { 0, 0, 0 }, elevation = 50 },
  },
  stop = { time = 365.25 * years },
}

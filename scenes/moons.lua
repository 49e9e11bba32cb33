-- Jupiter and the four moons that Galileo saw, from the elements of their orbits.
-- Shows: the inner three go round in nearly 1 : 2 : 4 days, so that they never meet all three on one side. Conserves: energy to
-- 1e-8 with this step, momentum to rounding.
-- Source: mean elements of the satellites, JPL Solar System Dynamics; Murray & Dermott (1999), Solar System Dynamics, ch. 2.
local days = param("days", 60, { min = 0.1, max = 3650, unit = "time", doc = "length of the run" })
local jupiter = 9.5479e-4 -- solar masses

local function moon(name, color, mass, semi_major_axis, eccentricity, mean_anomaly)
  return orbit {
    name = name, color = color, mass = mass, central_mass = jupiter, semi_major_axis = semi_major_axis,
    eccentricity = eccentricity, mean_anomaly = mean_anomaly,
  }
end

return {
  title = "Moons of Jupiter",
  about = "Io, Europa, Ganymede and Callisto about Jupiter; lengths in au.",
  units = "solar",
  gravity = {},
  integrator = { "yoshida4", dt = 0.01 },
  bodies = {
    { name = "Jupiter", color = "#d99a5b", mass = jupiter, position = { 0, 0, 0 } },
    moon("Io", "#f2d14b", 4.491e-8, 0.0028196, 0.0041, 180),
    moon("Europa", "#cdbfa8", 2.414e-8, 0.0044860, 0.0094, 0),
    moon("Ganymede", "#9c8f80", 7.453e-8, 0.0071552, 0.0013, 0),
    moon("Callisto", "#7f8aa0", 5.411e-8, 0.0125851, 0.0074, 75),
  },
  view = { bodies = "spheres", trails = "on", camera = { distance = 0.04, elevation = 55 } },
  stop = { time = days },
}

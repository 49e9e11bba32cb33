-- A double pendulum, and another let go a hundredth of a degree higher.
-- Shows: chaos. The two move together at first; their distance grows tenfold in some 7 units of time, until nothing of the
-- common start is left. Rods are constraints: no spring in them has to be resolved by the step.
-- Conserves: energy to 2e-5 of its largest part, with no trend in 1000 units of time; all lengths to 1e-12.
-- Source: Shinbrot, Grebogi, Wisdom & Yorke (1992), Am. J. Phys. 60, 491.
local first = param("first", 90, { min = -180, max = 180, unit = "angle", doc = "of the upper rod at the start" })
local second = param("second", 180, { min = -180, max = 180, unit = "angle", doc = "of the lower rod at the start" })
local apart = param("apart", 0.01, { min = 0, max = 10, unit = "angle", doc = "between the two pendulums" })

-- The end of a rod of length 1 that hangs on `from`, at an angle in degrees from the vertical.
local function below(from, angle)
  local a = math.rad(angle)
  return { from[1] + math.sin(a), 0, from[3] - math.cos(a) }
end

local bodies = { { name = "pivot", mass = 1, position = { 0, 0, 0 }, fixed = true, species = "pivot" } }
local rods = {}
for k = 0, 1 do
  local elbow = below({ 0, 0, 0 }, first + k * apart)
  local tip = below(elbow, second + k * apart)
  local id, species = #bodies, k == 0 and "one" or "other"
  bodies[id + 1] = { name = species .. " elbow", mass = 1, position = elbow, species = species }
  bodies[id + 2] = { name = species .. " tip", mass = 1, position = tip, species = species }
  rods[#rods + 1] = { 0, id }
  rods[#rods + 1] = { id, id + 1 }
end

return {
  title = "Double pendulum",
  about = "Two rods and two weights swing in chaos; a twin shows how soon the start is forgotten.",
  precision = "double",
  integrator = { dt = 0.002 },
  fields = { uniform { acceleration = { 0, 0, -1 } } },
  species = { pivot = { color = "#808890" }, one = { color = "#f0a040" }, other = { color = "#50a0f0" } },
  bond_kinds = { rod = { form = "rigid", length = 1 } },
  bonds = { { kind = "rod", bodies = rods } },
  bodies = bodies,
  view = {
    portrait = 20, color = "species", bodies = "spheres", radius = 0.06, trails = "on",
    camera = { distance = 6.2, target = { 0, 0, -0.1 }, azimuth = -90, elevation = 0 },
  },
  stop = { time = 100 },
}

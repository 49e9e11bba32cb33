-- Three equal masses that chase each other along one figure eight.
-- Shows: a stable choreography. Conserves: energy to 1e-13, momentum and angular momentum (both zero); the orbit closes to 1e-7
-- after every period.
-- Source: Chenciner & Montgomery (2000), Ann. Math. 152, 881; initial data of C. Simo.
local steps = param("steps", 2000, { min = 50, max = 1000000, doc = "steps in one period" })
local periods = param("periods", 1, { min = 1, max = 10000, doc = "periods to follow" })
local x, y = 0.97000436, -0.24308753
local vx, vy = -0.93240737, -0.86473146

return {
  title = "Figure eight",
  about = "The three-body choreography of Chenciner and Montgomery, G = m = 1.",
  precision = "double",
  gravity = { softening = 0 },
  integrator = { "yoshida6", dt = 6.32591398 / steps },
  bodies = {
    { mass = 1, position = { x, y, 0 }, velocity = { -vx / 2, -vy / 2, 0 } },
    { mass = 1, position = { -x, -y, 0 }, velocity = { -vx / 2, -vy / 2, 0 } },
    { mass = 1, position = { 0, 0, 0 }, velocity = { vx, vy, 0 } },
  },
  view = { color = "id", map = "turbo", camera = { distance = 2.4, target = { 0, 0, 0 }, azimuth = -90, elevation = 90 } },
  stop = { steps = steps * periods },
}

local function cluster(x)
  local sphere = plummer {
    n = 10,
    sclae = 0.5,
  }
  return translate(sphere, { x, 0, 0 })
end

return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = {
    cluster(-1),
    cluster(1),
  },
  stop = { time = 1 },
}

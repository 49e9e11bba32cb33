return {
  title = "Busy",
  gravity = { softening = 0.05 },
  integrator = { "leapfrog", dt = 1 / 256 },
  species = { old = {}, new = {} },
  bodies = plummer { n = 24, species = "old" },
  stop = { steps = 900 },
  series = { steps = 7 },
  snapshots = { time = 0.3 },
  on_step = { every = 40, run = function(sim)
    sim.data.calls = (sim.data.calls or 0) + 1
    sim:row("calls", { calls = sim.data.calls, chance = math.random() })
    if sim.data.calls == 5 then sim:set("integrator.dt", 1 / 300) end
    if sim.data.calls % 6 == 0 then
      sim:add { mass = 0.01, position = { math.random(), 1, 0 }, species = "new" }
      if sim.data.calls == 12 then sim:remove(3) end
    end
  end },
}
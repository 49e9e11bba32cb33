local bodies = {}
for i = 1, 20 do bodies[i] = box { size = { 1, 2, 3 } } end
return { integrator = { dt = 0.01 }, bodies = bodies }

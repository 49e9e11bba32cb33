local c = plummer { n = 3, species = "star" }
return { gravity = {}, integrator = { "leapfrog", dt = 0.1 }, species = { star = { color = "#ffffff" } },
  bodies = { spin(scale(c, { length = 2 }), { rate = 3 }), place(copy(c), { node = "3 deg" }), rotate(c, { angle = 3 }),
    translate(c, { 1, 2, 3 }), boost({ c, c }, { 1, 0, 0 }), csv { file = "a.csv" }, include("a.lua") } }

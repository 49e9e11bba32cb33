local stars = plummer { n = 3 }
return {
  integrator = { dt = 1 },
  bodies = {
    scale(stars, { length = 0, mas = 2 }),
    spin(stars, { axis = { 0, 0, 0 }, rate = "fast" }),
    place(stars, { positon = { 1, 0, 0 } }),
  },
}

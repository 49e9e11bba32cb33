return {
  scene = "data/no_end.lua",
}

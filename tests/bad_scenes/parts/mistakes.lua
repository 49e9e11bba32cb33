-- A part of include_with_mistakes.lua.
return {
  mass = 1,
  position = { 0, 0 },
  colour = "red",
}

-- included by include_with_open_brace.lua
return {
  mass = 1,

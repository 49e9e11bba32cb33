-- A part of include_with_error.lua.
local mass = missing.mass
return { mass = mass, position = { 0, 0, 0 } }

local function f(...) return select("#", ...), ... end
for k, v in pairs { 3, a = 2, [{}] = 1 } do pcall(f, k, v, tostring(v):rep(3), (("x"):byte(1, -1))) end
table.sort({ 3, 2, 1 }, function(a, b) return a > b end)
return { title = string.format("%5.2f %q", math.pi, "x") .. table.concat({ 1, 2 }, ","), [1] = table.unpack { 1, 2 } }

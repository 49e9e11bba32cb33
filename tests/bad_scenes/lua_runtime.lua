local total = 10
local half = totl / 2
return { bodies = { plummer { n = half } } }

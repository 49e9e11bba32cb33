local function deeper(n)
  return 1 + deeper(n + 1)
end
return { bodies = { plummer { n = deeper(1) } } }

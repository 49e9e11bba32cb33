local n = 3
if n < 4 then
  error("needs at least 4 bodies")
end
return {}

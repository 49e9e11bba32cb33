local x = math.squrt(2)
return {}

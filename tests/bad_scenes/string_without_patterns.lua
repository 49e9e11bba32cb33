local name = ("a b"):gsub(" ", "_")
return { title = name }

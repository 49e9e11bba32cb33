local n = param("n", 5

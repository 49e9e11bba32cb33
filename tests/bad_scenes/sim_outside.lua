sim:log("hello")
return {}

return "a scene"

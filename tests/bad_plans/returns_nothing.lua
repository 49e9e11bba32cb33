local plan = {}

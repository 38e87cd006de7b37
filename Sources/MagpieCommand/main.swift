print("magpie")

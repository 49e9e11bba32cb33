return {
  integrator = { "leapfrog", dt = 0.01 },
  bodies = {
    csv { file = "../CMakeLists.txt" },
    csv { file = "/etc/hostname" },
  },
  stop = { time = 1 },
}

#version 450 core
// What a plane leaves of lines of sight through spheres; linked with shaders of these. In programs
// of their own, because drivers in software run both sides of a branch.

uniform vec4 clip;  // in the camera's axes and units: nothing is drawn where dot(clip, vec4(place, 1)) < 0

// The fraction of a line of sight, which passes through `from`, between `entry` and `exit`, in
// lengths of `way` from there, that is drawn.
float part(vec3 from, vec3 way, float entry, float exit) {
  float slope = dot(clip.xyz, way), start = dot(clip, vec4(from, 1)), a = slope * entry + start, b = slope * exit + start;
  if (min(a, b) >= 0) return 1;
  return max(a, b) > 0 ? max(a, b) / abs(b - a) : 0;
}

// Where it is seen first, within the same.
float begin(vec3 from, vec3 way, float entry, float exit) {
  float slope = dot(clip.xyz, way), start = dot(clip, vec4(from, 1));
  if (slope * entry + start >= 0) return entry;
  return clamp(slope > 0 ? -start / slope : exit, entry, exit);
}

// Normal of the cut, out of what is drawn.
vec3 face() { return -normalize(clip.xyz); }

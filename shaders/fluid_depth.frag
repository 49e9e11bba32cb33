#version 450 core
// Distance of the front of a fluid particle.

flat in vec3 center;  // in the camera's axes
flat in float reach;

uniform vec2 viewport;
uniform vec4 lens;  // of the projection: scale of x and y, shift of x and y
uniform float near;
layout(depth_less) out float gl_FragDepth;
out float away;

// In clip_nothing.glsl or clip_plane.glsl.
float part(vec3 from, vec3 way, float entry, float exit);
float begin(vec3 from, vec3 way, float entry, float exit);

void main() {
  vec3 way = vec3((gl_FragCoord.xy / viewport * 2 - 1 + lens.zw) / lens.xy, -1);
  float middle = dot(center, way) / dot(way, way);
  vec3 miss = way * middle - center;
  float rest = reach * reach - dot(miss, miss);
  if (rest < 0) discard;
  float ends = sqrt(rest / dot(way, way));
  if (part(vec3(0), way, middle - ends, middle + ends) == 0) discard;
  away = begin(vec3(0), way, middle - ends, middle + ends);
  if (away < near) discard;
  gl_FragDepth = clamp(near / away, 0, 1);
}

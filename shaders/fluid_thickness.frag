#version 450 core
// Path length of the line of sight within a fluid particle; blending adds these.

flat in vec3 center;  // in the camera's axes
flat in float reach;

uniform vec2 viewport;
uniform vec4 lens;  // of the projection: scale of x and y, shift of x and y
out float thickness;

float part(vec3 from, vec3 way, float entry, float exit);  // in clip_nothing.glsl or clip_plane.glsl

void main() {
  vec3 way = normalize(vec3((gl_FragCoord.xy / viewport * 2 - 1 + lens.zw) / lens.xy, -1));
  vec3 miss = way * dot(center, way) - center;
  float rest = reach * reach - dot(miss, miss);
  if (rest < 0) discard;
  float middle = dot(center, way), ends = sqrt(rest);
  thickness = 2 * sqrt(rest) * part(vec3(0), way, middle - ends, middle + ends);
}

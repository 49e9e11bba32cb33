#version 450 core
// The depth of a sphere as the lamp sees it.

flat in vec3 center;  // in the lamp's axes
flat in float reach;

uniform mat4 projection;  // parallel
uniform float size;       // of the map, in texels
layout(depth_less) out float gl_FragDepth;

// In clip_nothing.glsl or clip_plane.glsl.
float part(vec3 from, vec3 way, float entry, float exit);
float begin(vec3 from, vec3 way, float entry, float exit);

void main() {
  vec2 at = (gl_FragCoord.xy / size * 2 - 1 - projection[3].xy) / vec2(projection[0].x, projection[1].y);
  float rest = reach * reach - dot(at - center.xy, at - center.xy);
  if (rest < 0) discard;
  vec3 from = vec3(at, 0), way = vec3(0, 0, -1);
  float entry = -center.z - sqrt(rest), exit = -center.z + sqrt(rest);
  if (part(from, way, entry, exit) == 0) discard;
  float height = -begin(from, way, entry, exit);
  gl_FragDepth = clamp((projection[2].z * height + projection[3].z) * 0.5 + 0.5, 0, 1);
}

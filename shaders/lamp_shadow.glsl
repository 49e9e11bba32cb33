#version 450 core
// How much of the lamp is seen from a place, from a map of depths as the lamp sees them (Williams
// 1978, SIGGRAPH 12, 270): the part of the texels around the place that are not nearer to the lamp
// (percentage-closer filtering, Reeves, Salesin and Cook 1987, SIGGRAPH 21, 283). Linked with
// shaders of what is lit. In programs of their own, because drivers in software run both sides of a
// branch.

uniform sampler2D lamp_depths;  // from 0 to 1 towards the lamp; 0: nothing
uniform mat4 lamp_map;          // from the camera's axes: across the map and towards the lamp, 0 to 1
uniform float lamp_texel;       // of the map, a length in the camera's axes
uniform float lamp_taken;       // part of the lamp's light that shadows take

// The filter reaches over 2 texels along each axis. A plane whose normal is at the angle t to the
// lamp rises by as much times tan t towards the lamp, and seen along the normal by its product with
// sin t. A place that is so far before the plane, or before a convex body that touches it there,
// is before all that the filter compares; the rest of half a texel is for rounding.
const float filter_reach = 2 * sqrt(2.0), rest = 0.5;

float lamp_seen(vec3 place, vec3 normal) {
  float straight = dot(normal, normalize(vec3(lamp_map[0].z, lamp_map[1].z, lamp_map[2].z)));
  float before = lamp_texel * (filter_reach * sqrt(max(1 - straight * straight, 0)) + rest);
  vec3 at = (lamp_map * vec4(place + before * normal, 1)).xyz;
  float depth = max(at.z, 0);  // what is beyond the map is behind all of it
  vec2 size = vec2(textureSize(lamp_depths, 0));
  vec2 middle = at.xy * size - 0.5, corner = floor(middle), off = middle - corner;
  // A box of 3 texels over the bilinear mean of each: weights 1 - off, 1, 1 and off along each axis.
  float hidden = 0;
  for (int k = 0; k < 4; ++k) {
    ivec2 block = ivec2(k & 1, k >> 1);
    vec4 depths = textureGather(lamp_depths, (corner + 2 * vec2(block)) / size);
    vec4 nearer = vec4(greaterThan(depths, vec4(depth)));  // (0, 1), (1, 1), (1, 0), (0, 0)
    vec2 low = mix(1 - off, vec2(1), vec2(block)), high = mix(vec2(1), off, vec2(block));
    hidden += high.y * (low.x * nearer.x + high.x * nearer.y) + low.y * (high.x * nearer.z + low.x * nearer.w);
  }
  return 1 - lamp_taken * hidden / 9;
}

#version 450 core
// Finds the best point near a pixel in three rounds of integer minima, independent of the order:
// the best of a first criterion, the best of a second among these, the first in the buffer among
// those.

layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer Positions { float positions[]; };
layout(std430, binding = 2) readonly restrict buffer Radii { float radii[]; };
layout(std430, binding = 3) readonly restrict buffer Weights { float weights[]; };
layout(std430, binding = 1) restrict buffer Best { uint best[3]; };

uniform uint first, count;     // of the bound points
uniform int turn;
uniform mat4 view, projection;
uniform vec2 viewport, pixel;  // pixels, y up
uniform float reach;           // pixels
uniform float radius;          // of spheres; 0: stars
uniform bool weighted;         // points without a finite weight are not drawn
uniform bool own_radii;        // spheres have individual radii, relative to `radius`
uniform vec4 lens;             // as in spheres.frag
uniform vec4 clip;             // in the camera's axes: nothing is drawn where dot(clip, vec4(place, 1)) < 0

bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

bool finite(vec4 v) { return finite(v.x) && finite(v.y) && finite(v.z) && finite(v.w); }

// Stars: first the nearest to the pixel, in quarters of a pixel, then the nearest to the viewer.
// Spheres: those under the pixel first, then those close to it; among both the nearest to the
// viewer.
bool judge(vec3 position, float radius, out uint kind, out uint order) {
  vec4 center = view * vec4(position, 1);
  vec4 seen = projection * center;
  if (!finite(seen) || seen.w <= 0) return false;
  vec2 place = (seen.xy / seen.w * 0.5 + 0.5) * viewport;
  float apart = length(place - pixel), depth = seen.w;
  if (radius > 0) {
    vec3 way = normalize(vec3((pixel / viewport * 2 - 1 + lens.zw) / lens.xy, -1));
    vec3 miss = way * dot(center.xyz, way) - center.xyz;
    float rest = radius * radius - dot(miss, miss);
    kind = rest >= 0 ? 0u : 1u;
    if (rest >= 0) {
      float middle = dot(center.xyz, way), ends = sqrt(rest), slope = dot(clip.xyz, way);
      depth = max(middle - ends, 0);
      if (max(slope * depth, slope * (middle + ends)) + clip.w < 0) return false;
      if (slope * depth + clip.w < 0) depth = -clip.w / slope;
    } else if (dot(clip, center) < 0) {
      return false;
    }
    order = floatBitsToUint(depth);
    float shown = radius / seen.w * lens.y * 0.5 * viewport.y;
    return rest >= 0 || apart - shown <= reach;
  }
  if (dot(clip, center) < 0) return false;
  kind = uint(apart * 4);
  order = floatBitsToUint(depth);
  return apart <= reach;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count || (own_radii && radii[i] == 0) || (weighted && !finite(weights[i]))) return;
  uint kind, order;
  if (!judge(vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]), own_radii ? radius * abs(radii[i]) : radius, kind, order)) return;
  if (turn == 0) atomicMin(best[0], kind);
  else if (kind == best[0] && turn == 1) atomicMin(best[1], order);
  else if (kind == best[0] && order == best[1]) atomicMin(best[2], first + i);
}

#version 450 core
// Intersects the line of sight through each sample with the sphere, for an exact and smooth edge.
// Light and depth are computed once per pixel, or per sample when the driver runs this for each
// sample.

flat in vec3 center;  // in the camera's axes
flat in float reach;
flat in vec3 body_color;

uniform vec2 viewport;
uniform vec4 lens;        // of the projection: scale of x and y, shift of x and y
uniform float near;
uniform float brightness;
uniform int samples;      // 1: gl_FragCoord is the position of the sample
uniform vec2 places[8];   // of the samples, relative to the pixel's centre
layout(depth_less) out float gl_FragDepth;
out vec4 color;

// In colors.glsl and lighting.glsl.
vec3 srgb(vec3 linear);
vec3 light_of(vec3 albedo, vec3 normal, vec3 to_eye, float lamp);
float lamp_seen(vec3 place, vec3 normal);  // in lamp_clear.glsl or lamp_shadow.glsl
// In clip_nothing.glsl or clip_plane.glsl.
float part(vec3 from, vec3 way, float entry, float exit);
float begin(vec3 from, vec3 way, float entry, float exit);
vec3 face();

vec3 sight(vec2 pixel) { return vec3((pixel / viewport * 2 - 1 + lens.zw) / lens.xy, -1); }

// From the sphere's centre to the closest point on the line of sight.
vec3 offset(vec3 way) { return way * (dot(center, way) / dot(way, way)) - center; }

void main() {
  int mask = 0;
  for (int i = 0; i < samples; ++i) {
    vec3 way = sight(gl_FragCoord.xy + places[i]), miss = offset(way);
    float rest = reach * reach - dot(miss, miss);
    float middle = dot(center, way) / dot(way, way), ends = sqrt(max(rest, 0) / dot(way, way));
    if (dot(miss, miss) <= reach * reach && part(vec3(0), way, middle - ends, middle + ends) > 0) mask |= 1 << i;
  }
  if (mask == 0) discard;
  gl_SampleMask[0] = samples == 1 ? -1 : mask;
  vec3 way = normalize(sight(gl_FragCoord.xy));
  vec3 miss = offset(way);
  float inside = sqrt(max(reach * reach - dot(miss, miss), 0));
  vec3 normal = normalize(miss - way * inside);
  vec3 place = center + normal * reach;
  float middle = dot(center, way), entry = middle - inside, first = begin(vec3(0), way, entry, middle + inside);
  if (first > entry) {
    place = way * first;
    normal = face();
  }
  gl_FragDepth = clamp(near / -place.z, 0, 1);
  color = vec4(srgb(clamp(light_of(body_color, normal, -way, lamp_seen(place, normal)) * brightness, 0, 1)), 1);
}

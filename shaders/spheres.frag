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

// In colors.glsl.
vec3 srgb(vec3 linear);

vec3 sight(vec2 pixel) { return vec3((pixel / viewport * 2 - 1 + lens.zw) / lens.xy, -1); }

// From the sphere's centre to the closest point on the line of sight.
vec3 offset(vec3 way) { return way * (dot(center, way) / dot(way, way)) - center; }

const vec3 to_key = normalize(vec3(-0.55, 0.68, 0.6));  // the lamp is at the camera's upper left
const vec3 key = vec3(1.0, 0.97, 0.92) * 0.92;
const vec3 sky = vec3(0.30, 0.34, 0.42), ground = vec3(0.085, 0.075, 0.08);

vec3 light_of(vec3 normal, vec3 to_eye) {
  vec3 ambient = mix(ground, sky, normal.y * 0.5 + 0.5);
  float facing = clamp((dot(normal, to_key) + 0.18) / 1.18, 0, 1);  // the lamp is wide: its light wraps around
  float grazing = 1 - max(dot(normal, to_eye), 0);
  float edge = grazing * grazing * grazing * grazing;
  float glint = pow(max(dot(normal, normalize(to_key + to_eye)), 0), 60);
  return body_color * (ambient + key * facing * sqrt(facing)) + (0.35 * edge * (0.4 + 0.6 * facing)) * mix(sky, body_color, 0.4) + 0.16 * glint * key;
}

void main() {
  int mask = 0;
  for (int i = 0; i < samples; ++i) {
    vec3 miss = offset(sight(gl_FragCoord.xy + places[i]));
    if (dot(miss, miss) <= reach * reach) mask |= 1 << i;
  }
  if (mask == 0) discard;
  gl_SampleMask[0] = samples == 1 ? -1 : mask;
  vec3 way = normalize(sight(gl_FragCoord.xy));
  vec3 miss = offset(way);
  float inside = sqrt(max(reach * reach - dot(miss, miss), 0));
  vec3 normal = normalize(miss - way * inside);
  vec3 place = center + normal * reach;
  gl_FragDepth = clamp(near / -place.z, 0, 1);
  color = vec4(srgb(clamp(light_of(normal, -way) * brightness, 0, 1)), 1);
}

#version 450 core
// Light from the surface of a fluid: transmitted light, refracted and attenuated (Beer and
// Lambert), light from within, and the reflected sky, stronger at grazing angles (Schlick 1994,
// Comput. Graph. Forum 13, 233).

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D fluid;        // distance; 0: nothing
// path length of the line of sight in the fluid, at half resolution
layout(binding = 1) uniform sampler2D thick;
layout(binding = 2) uniform sampler2D clear_scene;  // sRGB, the picture without fluid
layout(binding = 3) uniform sampler2D behind;  // the same with everything seen through the fluid
layout(binding = 4) uniform sampler2DMS solids;     // nearness of the fluid and of objects before it
layout(binding = 5) uniform sampler2D open_sky;     // how much of it is seen
uniform bool occluded;    // `open_sky` applies
layout(binding = 0, rgba8) uniform writeonly restrict image2D screen;
uniform vec4 lens;        // of the projection: scale of x and y, shift of x and y
uniform float radius;     // of particles, in the units of both pictures
uniform float pixel_length;  // relative to the distance
uniform float room;       // volume of the drawn spheres per particle volume
uniform float near;       // distance of the near plane
uniform float brightness;
uniform vec3 up;          // in the camera's axes

// In colors.glsl.
vec3 linear_of(vec3 code);
vec4 stored(vec3 linear, vec2 place);
float lamp_seen(vec3 place, vec3 normal);  // in lamp_clear.glsl or lamp_shadow.glsl

const vec3 to_key = normalize(vec3(-0.55, 0.68, 0.6));  // the same lamp as for spheres
const vec3 key = vec3(1.0, 0.97, 0.92);
const vec3 zenith = vec3(0.30, 0.48, 0.78), horizon = vec3(0.85, 0.95, 1.0), ground = vec3(0.12, 0.18, 0.22);
const vec3 weakening = vec3(0.115, 0.032, 0.016);  // attenuation per particle radius
const float murk = 0.10;                           // the same for the inner light
const vec3 within = vec3(0.030, 0.210, 0.360);
const float mirrored = 0.03;  // reflectance at normal incidence
// the surface ends where it drops by this many radii and pixels within a pixel
const float edge = 0.8, steep = 12;
const float before = 1 + 1e-5;  // nearness of a solid before the fluid, relative to its own as stored
const float bend = 3.0;       // largest displacement by refraction, in particle radii

ivec2 size = imageSize(screen);

vec3 place_of(ivec2 pixel, float away) {
  vec2 way = ((vec2(pixel) + 0.5) / vec2(size) * 2 - 1 + lens.zw) / lens.xy;
  return vec3(way, -1) * away;
}

// Tangent of the surface from a pixel to the next along a direction, using the flatter of both
// one-sided differences, as the other may cross an edge. Where both do, the surface faces the
// viewer.
vec3 slope(ivec2 pixel, ivec2 along, float here) {
  ivec2 one = min(pixel + along, size - 1), other = max(pixel - along, ivec2(0));
  float ahead = texelFetch(fluid, one, 0).r, back = texelFetch(fluid, other, 0).r;
  float end = max(edge * radius, steep * pixel_length * here);
  float up = one == pixel || ahead == 0 ? end : ahead - here;
  float down = other == pixel || back == 0 ? end : here - back;
  float step = abs(up) < abs(down) ? up : down;
  if (abs(step) >= end) step = 0;
  return place_of(pixel + along, here + step) - place_of(pixel, here);
}

// `seen`: how much of the lamp is.
vec3 sky(vec3 way, float seen) {
  float height = dot(way, up);
  vec3 light = height > 0 ? mix(horizon, zenith, sqrt(height)) : mix(horizon, ground, smoothstep(0.0, 0.25, -height));
  float lamp = max(dot(way, to_key), 0);
  return light + key * seen * (0.25 * pow(lamp, 12) + 4 * pow(lamp, 400));
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, size))) return;
  vec4 plain = texelFetch(clear_scene, pixel, 0);
  float here = texelFetch(fluid, pixel, 0).r;
  if (here == 0 || texelFetch(solids, pixel, 0).r * here > near * before) {
    imageStore(screen, pixel, vec4(plain.rgb, 1));
    return;
  }
  vec2 at = (vec2(pixel) + 0.5) / vec2(size);
  float depth = textureLod(thick, at, 0).r / (room * radius);
  vec3 way = normalize(place_of(pixel, here));
  vec3 normal = normalize(cross(slope(pixel, ivec2(1, 0), here), slope(pixel, ivec2(0, 1), here)));
  if (!(dot(normal, way) < 0)) normal = -way;

  vec2 shift = -normal.xy * lens.xy * 0.5 * radius / here * bend * min(depth / 6, 1);
  float open = 1;
  if (occluded) open = texelFetch(open_sky, pixel, 0).r;
  float seen = lamp_seen(place_of(pixel, here), normal);
  vec3 passed = open * linear_of(textureLod(behind, clamp(at + shift, vec2(0), vec2(1)), 0).rgb);
  vec3 kept = exp(-weakening * depth);
  float facing = clamp((dot(normal, to_key) + 0.5) / 1.5, 0, 1);
  vec3 inner = within * (open * (0.3 + 1.1 * facing * seen)) * brightness;
  float straight = clamp(-dot(normal, way), 0, 1);
  float mirror = mirrored + (1 - mirrored) * min(pow(1 - straight, 5), 0.6);
  vec3 lit = mix(passed * kept + inner * (1 - exp(-murk * depth)), sky(reflect(way, normal), seen) * brightness, mirror);
  // Thin edges fade, to keep outlines smooth.
  float there = smoothstep(0.0, 0.9, depth);
  imageStore(screen, pixel, stored(clamp(mix(linear_of(plain.rgb), lit, there), 0, 1), vec2(pixel)));
}

#version 450 core
// An opaque surface through bodies, lit on both sides.

in vec3 place, normal;
in float shade;
uniform float brightness;
layout(binding = 0) uniform sampler1D color_map;  // linear light
out vec4 color;

// In colors.glsl and lighting.glsl.
vec3 srgb(vec3 linear);
vec3 light_of(vec3 albedo, vec3 normal, vec3 to_eye, float lamp);
float lamp_seen(vec3 place, vec3 normal);  // in lamp_clear.glsl or lamp_shadow.glsl

void main() {
  vec3 to_eye = normalize(-place), facing = normalize(normal);
  if (dot(facing, to_eye) < 0) facing = -facing;
  vec3 albedo = textureLod(color_map, (shade * 255 + 0.5) / 256, 0).rgb;
  color = vec4(srgb(clamp(light_of(albedo, facing, to_eye, lamp_seen(place, facing)) * brightness, 0, 1)), 1);
}

#version 450 core
// Colours of bodies; linked with shaders that draw them.

uniform float scalar_low;
uniform float scalar_scale;  // 1 / (high - low); 0: every body gets the middle colour
layout(binding = 0) uniform sampler1D color_map;  // linear light

vec3 linear_light(vec3 srgb) {
  vec3 curve = pow((srgb + 0.055) / 1.055, vec3(2.4));
  return mix(curve, srgb / 12.92, lessThanEqual(srgb, vec3(0.04045)));
}

// Scalars from 2^127 on are colours of a body's own (own_color_scalar).
vec3 color_of_body(float scalar) {
  uint bits = floatBitsToUint(scalar);
  if (bits >> 23 == 0xfeu)
    return linear_light(vec3(bits >> 15 & 0xffu, bits >> 7 & 0xffu, (bits & 0x7fu) * (255.0 / 127)) / 255);
  bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  float t = finite ? clamp((scalar - scalar_low) * scalar_scale, 0, 1) : 0;
  if (scalar_scale == 0) t = 0.5;
  return textureLod(color_map, (t * 255 + 0.5) / 256, 0).rgb;
}

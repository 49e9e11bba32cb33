#version 450 core
// Shared by shaders that write a screen picture; linked with each of them.

// Brightness must show the density of light, not the darkness of its colour: a dark mean colour is
// raised to a minimum luminance, as far as its brightest channel stays below a limit.
const float least_luminance = 0.05;
const float largest_raised = 0.6;

vec3 raised(vec3 linear) {
  float luminance = dot(linear, vec3(0.2126, 0.7152, 0.0722));
  float channel = max(max(linear.r, linear.g), max(linear.b, 1e-6));
  return linear * max(1, min(least_luminance / max(luminance, 1e-6), largest_raised / channel));
}

vec3 srgb(vec3 linear) {
  vec3 curve = 1.055 * pow(linear, vec3(1 / 2.4)) - 0.055;
  return mix(curve, 12.92 * linear, lessThanEqual(linear, vec3(0.0031308)));
}

vec3 linear_of(vec3 code) {
  vec3 curve = pow((code + 0.055) / 1.055, vec3(2.4));
  return mix(curve, code / 12.92, lessThanEqual(code, vec3(0.04045)));
}

// Noise between -0.5 and 0.5, the same for a pixel in every picture.
float noise(uvec2 p) {
  uint h = p.x * 0x9e3779b1u ^ p.y * 0x85ebca77u;
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  return float((h ^ (h >> 15)) >> 8) / 16777216.0 - 0.5;
}

// sRGB with dithering of less than one 8-bit step: hides the steps of smooth gradients and leaves a
// plain background plain.
vec4 stored(vec3 linear, vec2 place) {
  vec3 exact = srgb(linear) * 255;
  return vec4((exact + 0.9 * noise(uvec2(place))) / 255, 1);
}

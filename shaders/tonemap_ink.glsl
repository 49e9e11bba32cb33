#version 450 core
// Light that covers the background.

// In colors.glsl.
vec3 srgb(vec3 linear);
vec3 linear_of(vec3 code);

vec3 on_screen(vec3 background, vec3 mean, float level, float pale, vec4 around, float white) {
  // What is pale on a dark sky is dark here.
  return linear_of(mix(srgb(background), srgb(mean) * (1 - pale), min(level, 1)));
}

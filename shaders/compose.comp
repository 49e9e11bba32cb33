#version 450 core
// Composes a multisampled picture over the background.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2DMS picture;  // sRGB; alpha 1 where something is drawn
layout(binding = 1) uniform sampler2D sky;  // how much of it is seen
uniform bool occluded;    // `sky` applies
uniform int samples;
uniform vec3 background;  // linear light
layout(binding = 0, rgba8) uniform writeonly restrict image2D screen;

// In colors.glsl.
vec3 linear_of(vec3 code);
vec4 stored(vec3 linear, vec2 place);

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(screen);
  if (any(greaterThanEqual(pixel, size))) return;
  vec4 sum = vec4(0);
  for (int i = 0; i < samples; ++i) {
    vec4 one = texelFetch(picture, pixel, i);
    sum += vec4(linear_of(one.rgb), 1) * one.a;
  }
  sum /= samples;
  if (occluded) sum.rgb *= texelFetch(sky, pixel, 0).r;
  imageStore(screen, pixel, stored(sum.rgb + background * (1 - sum.a), vec2(pixel)));
}

#version 450 core
// Composes a multisampled picture over the background.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2DMS picture;  // sRGB; alpha 1 where something is drawn
layout(binding = 1) uniform sampler2D sky;  // how much of it the first sample of each pixel sees
layout(binding = 2) uniform sampler2DMS nearness;  // of that picture
uniform bool occluded;    // `sky` applies
uniform int samples;
uniform vec3 background;  // linear light
layout(binding = 0, rgba8) uniform writeonly restrict image2D screen;

// In colors.glsl.
vec3 linear_of(vec3 code);
vec4 stored(vec3 linear, vec2 place);

// How much of the sky a sample sees: as much as the first sample, of its pixel or of one beside it,
// that is most nearly at its depth, and so on its surface. Along outlines the first sample of the
// pixel itself is often on another surface, or on none.
float seen(ivec2 pixel, ivec2 size, int i) {
  float here = texelFetch(nearness, pixel, i).r, least = abs(texelFetch(nearness, pixel, 0).r - here);
  ivec2 best = pixel;
  for (int k = 0; k < 9 && least > 0; ++k) {
    ivec2 at = clamp(pixel + ivec2(k % 3, k / 3) - 1, ivec2(0), size - 1);
    float differs = abs(texelFetch(nearness, at, 0).r - here);
    if (differs < least) least = differs, best = at;
  }
  return texelFetch(sky, best, 0).r;
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(screen);
  if (any(greaterThanEqual(pixel, size))) return;
  vec4 sum = vec4(0);
  for (int i = 0; i < samples; ++i) {
    vec4 one = texelFetch(picture, pixel, i);
    vec4 light = vec4(linear_of(one.rgb), 1) * one.a;
    if (occluded && one.a > 0) light.rgb *= seen(pixel, size, i);
    sum += light;
  }
  sum /= samples;
  imageStore(screen, pixel, stored(sum.rgb + background * (1 - sum.a), vec2(pixel)));
}

#version 450 core
// Scattered light: the mean of four mipmap levels of the picture, each an octave wider.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D picture;  // colour times density, density; mipmapped
uniform float coarsest;  // coarsest level of the glow
uniform int side;        // of a tile
layout(binding = 0, rgba32f) uniform writeonly restrict image2D glow;

ivec2 pixel_in_tile(int side);  // in tiles.glsl

// Samples a level with a cubic B-spline, which avoids blocks; four bilinear reads.
vec4 smooth_level(vec2 place, int level) {
  vec2 size = vec2(textureSize(picture, level));
  vec2 p = place * size - 0.5;
  vec2 base = floor(p), f = p - base, g = 1 - f;
  vec2 w0 = g * g * g / 6, w3 = f * f * f / 6;
  vec2 w1 = 2.0 / 3.0 - 0.5 * f * f * (2 - f), w2 = 1 - w0 - w1 - w3;
  vec2 low = (base - 0.5 + w1 / (w0 + w1)) / size, high = (base + 1.5 + w3 / (w2 + w3)) / size;
  vec2 part = w2 + w3;
  vec4 below = mix(textureLod(picture, low, level), textureLod(picture, vec2(high.x, low.y), level), part.x);
  vec4 above = mix(textureLod(picture, vec2(low.x, high.y), level), textureLod(picture, high, level), part.x);
  return mix(below, above, part.y);
}

void main() {
  ivec2 pixel = pixel_in_tile(side), size = imageSize(glow);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 place = (vec2(pixel) + 0.5) / vec2(size);
  int last = int(round(coarsest));
  int first = max(last - 3, 0);
  vec4 sum = vec4(0);
  for (int level = first; level <= last; ++level) sum += smooth_level(place, level);
  imageStore(glow, pixel, sum / (last - first + 1));
}

#version 450 core
// Scattered light: the mean of four mipmap levels of the picture, each an octave wider, at the
// resolution of the finest, which is taken as it is: glow_smooth.comp smooths all.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D picture;  // colour times density, density; mipmapped
uniform int finest, coarsest;  // levels of the glow
uniform int side;              // of a tile
layout(binding = 0, rgba32f) uniform writeonly restrict image2D glow;

ivec2 pixel_in_tile(int side);  // in tiles.glsl
vec4 smooth_level(sampler2D picture, vec2 place, int level);  // in smooth_level.glsl

void main() {
  ivec2 pixel = pixel_in_tile(side), size = imageSize(glow);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 place = (vec2(pixel) + 0.5) / vec2(size);
  vec4 sum = textureLod(picture, place, finest);
  for (int level = finest + 1; level <= coarsest; ++level) sum += smooth_level(picture, place, level);
  imageStore(glow, pixel, sum / (coarsest - finest + 1));
}

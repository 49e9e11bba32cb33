#version 450 core
// The glow at the resolution at which it is added to the picture.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D coarse;  // of glow.comp
uniform int side;                              // of a tile
layout(binding = 0, rgba32f) uniform writeonly restrict image2D glow;

ivec2 pixel_in_tile(int side);  // in tiles.glsl
vec4 smooth_level(sampler2D picture, vec2 place, int level);  // in smooth_level.glsl

void main() {
  ivec2 pixel = pixel_in_tile(side), size = imageSize(glow);
  if (any(greaterThanEqual(pixel, size))) return;
  imageStore(glow, pixel, smooth_level(coarse, (vec2(pixel) + 0.5) / vec2(size), 0));
}

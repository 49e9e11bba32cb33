#version 450 core
// Computes a mipmap level from the previous one: each pixel is the mean of 2 x 2.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 0, rgba32f) uniform writeonly restrict image2D halved;

uniform int level;  // the previous level

ivec2 pixel_here();  // in everywhere.glsl or in_tiles.glsl

void main() {
  ivec2 pixel = pixel_here(), size = imageSize(halved);
  if (any(greaterThanEqual(pixel, size))) return;
  imageStore(halved, pixel, textureLod(picture, (vec2(pixel) + 0.5) / vec2(size), level));
}

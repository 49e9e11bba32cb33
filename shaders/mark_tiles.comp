#version 450 core
// Marks the tiles of a picture in which there is light.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D picture;  // density in alpha
layout(std430, binding = 0) writeonly buffer Lit { uint lit[]; };

uniform int columns;  // of tiles
uniform int side;     // of a tile, in pixels

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, textureSize(picture, 0)))) return;
  if (texelFetch(picture, pixel, 0).a == 0) return;
  ivec2 tile = pixel / side;
  lit[tile.y * columns + tile.x] = 1u;
}

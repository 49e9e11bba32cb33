#version 450 core
// Marks the tiles of a picture in which there is light.

// Each invocation reads this many pixels along each axis, all of one tile: without a GPU a store costs
// more than pixels.
const int pixels = 4;

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D picture;  // density in alpha
layout(std430, binding = 0) writeonly buffer Lit { uint lit[]; };

uniform int columns;  // of tiles
uniform int side;     // of a tile, in pixels

void main() {
  ivec2 first = pixels * ivec2(gl_GlobalInvocationID.xy), size = textureSize(picture, 0);
  bool is_lit = false;
  for (int y = first.y; y < min(first.y + pixels, size.y); ++y)
    for (int x = first.x; x < min(first.x + pixels, size.x); ++x)
      is_lit = is_lit || !(texelFetch(picture, ivec2(x, y), 0).a == 0);  // NaN too
  if (!is_lit) return;
  ivec2 tile = first / side;
  lit[tile.y * columns + tile.x] = 1u;
}

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
  if (any(greaterThanEqual(first, size))) return;
  // Four densities at once; beyond the edges those at the edge.
  vec4 densities[4];
  for (int k = 0; k < 4; ++k)
    densities[k] = textureGather(picture, (vec2(first + 2 * ivec2(k & 1, k >> 1)) + 1) / vec2(size), 3);
  bvec4 dark = equal(densities[0], vec4(0));
  for (int k = 1; k < 4; ++k) dark = bvec4(uvec4(dark) & uvec4(equal(densities[k], vec4(0))));
  if (all(dark)) return;  // not where a density is not a number
  ivec2 tile = first / side;
  lit[tile.y * columns + tile.x] = 1u;
}

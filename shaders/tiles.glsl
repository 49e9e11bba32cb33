#version 450 core
// Shared by shaders that run in the tiles of a list, in groups of 16 x 16.

layout(std430, binding = 3) readonly buffer Tiles { uint tiles[]; };
uniform int columns;  // of tiles

// The pixel of this invocation in tiles of this side, a multiple of 16.
ivec2 pixel_in_tile(int side) {
  int tile = int(tiles[gl_WorkGroupID.x]), part = int(gl_WorkGroupID.y), across = side / 16;
  return side * ivec2(tile % columns, tile / columns) + 16 * ivec2(part % across, part / across) +
         ivec2(gl_LocalInvocationID.xy);
}

#version 450 core
// Lists the tiles that light reaches, or reached in the previous picture: only these differ from it.

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Lit { uint lit[]; };
layout(std430, binding = 1) buffer Before { uint before[]; };  // tiles reached, kept
// The number of work groups, as of indirect dispatches: one for each listed tile and part of it.
layout(std430, binding = 2) buffer Groups { uint groups[]; };
layout(std430, binding = 3) writeonly buffer Tiles { uint tiles[]; };

uniform int columns;  // of tiles
uniform int rows;
uniform int reach;  // how many tiles away light is seen
uniform bool all;   // whatever is lit

void main() {
  int tile = int(gl_GlobalInvocationID.x), row = tile / columns, column = tile % columns;
  if (row >= rows) return;
  uint reached = 0u;
  for (int y = max(row - reach, 0); y <= min(row + reach, rows - 1); ++y)
    for (int x = max(column - reach, 0); x <= min(column + reach, columns - 1); ++x)
      reached |= lit[y * columns + x];
  if (all || (reached | before[tile]) != 0u) tiles[atomicAdd(groups[0], 1u)] = uint(tile);
  before[tile] = reached;
}

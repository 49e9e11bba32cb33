#version 450 core
// The pixel of this invocation in a picture that is computed in the tiles of a list.

uniform int side;  // of a tile

ivec2 pixel_in_tile(int side);  // in tiles.glsl

ivec2 pixel_here() { return pixel_in_tile(side); }

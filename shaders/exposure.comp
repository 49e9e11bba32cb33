#version 450 core
// Histogram of log2 of the density of light, in integers: independent of the order. In tiles of 64
// pixels, one for each work group.

// Each invocation counts this many pixels along each axis: the bins of a group cost as much as pixels.
const int pixels = 4;

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D picture;
layout(std430, binding = 0) buffer Histogram { uint bins[1024]; };

uniform int side;       // of a tile, in invocations
uniform float lowest;   // log2 of the density at which bin 0 begins
uniform float per_two;  // bins per octave

shared uint group_bins[1024];

ivec2 pixel_in_tile(int side);  // in tiles.glsl

void main() {
  for (uint i = gl_LocalInvocationIndex; i < 1024u; i += 256u) group_bins[i] = 0u;
  barrier();
  ivec2 size = textureSize(picture, 0);
  // Neighbours read neighbouring pixels.
  ivec2 local = ivec2(gl_LocalInvocationID.xy), first = pixels * (pixel_in_tile(side) - local) + local;
  for (int y = first.y; y < min(first.y + 16 * pixels, size.y); y += 16)
    for (int x = first.x; x < min(first.x + 16 * pixels, size.x); x += 16) {
      float density = texelFetch(picture, ivec2(x, y), 0).a;
      if (density > 0) atomicAdd(group_bins[uint(clamp((log2(density) - lowest) * per_two, 0, 1023))], 1u);
    }
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < 1024u; i += 256u)
    if (group_bins[i] != 0u) atomicAdd(bins[i], group_bins[i]);
}

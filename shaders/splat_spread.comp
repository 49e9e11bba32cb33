#version 450 core
// Spreads the sums along rows, the first half of the filter that makes sprites of points.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D sums;
layout(binding = 0, rg32f) uniform writeonly restrict image2D spread;
// Not a uniform array: Mesa would then loop over its full size.
// of the pixel itself, its neighbours, ...
layout(std430, binding = 0) readonly restrict buffer Taps { float taps[]; };

uniform int reach;  // index of the last tap

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(spread);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 sum = taps[0] * texelFetch(sums, pixel, 0).xy;
  for (int i = 1; i <= reach; ++i) {
    // Nothing outside the picture.
    if (pixel.x >= i) sum += taps[i] * texelFetch(sums, pixel - ivec2(i, 0), 0).xy;
    if (pixel.x + i < size.x) sum += taps[i] * texelFetch(sums, pixel + ivec2(i, 0), 0).xy;
  }
  imageStore(spread, pixel, vec4(sum, 0, 0));
}

#version 450 core
// The mean over the 4 x 4 pixels around a place that are on the same surface.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2DMS nearness;
layout(binding = 1) uniform sampler2D rough;
layout(binding = 0, r16f) uniform writeonly restrict image2D seen;
uniform float sharpness;  // relative difference of distances beyond which surfaces differ

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(seen);
  if (any(greaterThanEqual(pixel, size))) return;
  float here = texelFetch(nearness, pixel, 0).r, sum = 0, weights = 0;
  for (int y = -2; y < 2; ++y)
    for (int x = -2; x < 2; ++x) {
      ivec2 at = clamp(pixel + ivec2(x, y), ivec2(0), size - 1);
      float there = texelFetch(nearness, at, 0).r;
      float weight = abs(there - here) <= sharpness * here ? 1 : 0;
      sum += weight * texelFetch(rough, at, 0).r;
      weights += weight;
    }
  imageStore(seen, pixel, vec4(weights > 0 ? sum / weights : 1));
}

#version 450 core
// Spreads the sums along columns, the second half of the filter, and converts them to light.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D sums;
layout(binding = 1) uniform sampler1D color_map;  // linear light
layout(binding = 0, rgba32f) uniform restrict image2D light;
layout(std430, binding = 0) readonly restrict buffer Taps { float taps[]; };

uniform int reach;
uniform bool fresh;       // overwrite every pixel without reading it
uniform float light_one;  // light of a point of weight 1, summed over the pixels
uniform float category;   // map entry of all points; below 0: that of their mean scalar

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(light);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 sum = taps[0] * texelFetch(sums, pixel, 0).xy;
  for (int i = 1; i <= reach; ++i) {
    if (pixel.y >= i) sum += taps[i] * texelFetch(sums, pixel - ivec2(0, i), 0).xy;
    if (pixel.y + i < size.y) sum += taps[i] * texelFetch(sums, pixel + ivec2(0, i), 0).xy;
  }
  if (!fresh && !(sum.x > 0)) return;
  vec4 added = vec4(0);
  if (sum.x > 0) {
    float entry = category < 0 ? clamp(sum.y / sum.x, 0, 1) * 255 : category;
    added = vec4(textureLod(color_map, (entry + 0.5) / 256, 0).rgb, 1) * (light_one * sum.x);
  }
  if (!fresh) added += imageLoad(light, pixel);
  imageStore(light, pixel, added);
}

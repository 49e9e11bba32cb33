#version 450 core
// Every pixel's sums spread along the row: the first half of making sprites of points.

layout(binding = 0) uniform sampler2D sums;
// Not an array of uniforms: Mesa then makes as many steps as there is room for.
layout(std430, binding = 0) readonly restrict buffer Taps { float taps[]; };  // of the pixel itself, its neighbours, ...

uniform int reach;  // the last tap

layout(location = 0) out vec2 spread;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  int width = textureSize(sums, 0).x;
  spread = taps[0] * texelFetch(sums, pixel, 0).xy;
  for (int i = 1; i <= reach; ++i) {
    // Outside the picture is nothing.
    if (pixel.x >= i) spread += taps[i] * texelFetch(sums, pixel - ivec2(i, 0), 0).xy;
    if (pixel.x + i < width) spread += taps[i] * texelFetch(sums, pixel + ivec2(i, 0), 0).xy;
  }
}

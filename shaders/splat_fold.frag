#version 450 core
// Sums of a part of the points, as floats; blending adds them to those of the parts before.

layout(binding = 0) uniform sampler2D part;
layout(std430, binding = 3) readonly restrict buffer Sums { uvec2 sums[]; };  // as splat_add.comp says
layout(std430, binding = 4) readonly restrict buffer Scale { float units_of_one; };

uniform bool integers;  // from Sums; else from part
uniform int width;

layout(location = 0) out vec2 sum;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  if (!integers) {
    sum = texelFetch(part, pixel, 0).xy;
  } else {
    uvec2 units = sums[pixel.y * width + pixel.x];
    sum = units.y == 0u ? vec2(0) : vec2(units.yx) / units_of_one;
  }
  if (sum.x == 0) discard;
}

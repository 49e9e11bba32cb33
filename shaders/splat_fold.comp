#version 450 core
// Sums of a part of the points, as floats, are added to those of the parts before. What was read of integers becomes zero, as
// the next part needs it: drivers clear by the units that draw, of which GPUs for data centres have few.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D part;
layout(binding = 0, rg32f) uniform restrict image2D total;
layout(std430, binding = 3) restrict buffer Sums { uvec2 sums[]; };  // as splat_add.comp says
layout(std430, binding = 4) readonly restrict buffer Scale { float units_of_one; };

uniform bool integers;  // from Sums; else from part
uniform bool first;     // there are no parts before

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(total);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 sum;
  if (!integers) {
    sum = texelFetch(part, pixel, 0).xy;
  } else {
    uint place = uint(pixel.y * size.x + pixel.x);
    uvec2 units = sums[place];
    sums[place] = uvec2(0);
    sum = units.y == 0u ? vec2(0) : vec2(units.yx) / units_of_one;
  }
  if (!first) sum += imageLoad(total, pixel).xy;
  imageStore(total, pixel, vec4(sum, 0, 0));
}

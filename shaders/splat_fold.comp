#version 450 core
// Adds the sums of a batch of points, as floats, to the total. Integer sums are reset to zero for
// the next batch: driver clears use raster units, of which data-centre GPUs have few.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D part;
layout(binding = 0, rg32f) uniform restrict image2D total;
layout(std430, binding = 3) restrict buffer Sums { uvec2 sums[]; };  // as in splat_add.comp
layout(std430, binding = 4) readonly restrict buffer Scale { float units_of_one; };

uniform bool integers;  // read from Sums, else from part
uniform bool first;     // this is the first batch

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

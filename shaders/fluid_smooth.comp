#version 450 core
// One smoothing pass over a surface, along one direction or isotropic: a mean of the distances of
// opposite pairs of pixels, which preserves slopes. The more a pair's mean deviates from the
// distance between them, the smaller its weight.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D fluid;  // distance; 0: nothing
layout(binding = 0, r32f) uniform writeonly restrict image2D smoothed;
uniform ivec2 along;      // 0: isotropic
uniform float radius;     // of particles
uniform float per_pixel;  // pixels spanned by a length of 1 at distance 1
uniform float width;      // of the filter, in particle radii

const int places = 8, places_around = 3;  // samples on either side
const float widest = 40;                  // pixels
const float bent = 1.5;  // standard deviation of a pair's deviation, in particle radii

float away(ivec2 pixel) {
  ivec2 size = textureSize(fluid, 0);
  return all(greaterThanEqual(pixel, ivec2(0))) && all(lessThan(pixel, size)) ? texelFetch(fluid, pixel, 0).r : 0;
}

// Adds a pair's deviation from the centre, times its weight, and the weight of both.
void add_pair(inout vec2 sum, ivec2 pixel, float here, vec2 off, float part) {
  ivec2 whole = ivec2(round(off));
  float a = away(pixel + whole), b = away(pixel - whole);
  if (a == 0 || b == 0) return;
  float off_line = a + b - 2 * here, by = off_line / (2 * bent * radius);
  float weight = exp(-0.5 * (4 * part * part + by * by));
  sum += weight * vec2(off_line, 2);
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = textureSize(fluid, 0);
  if (any(greaterThanEqual(pixel, size))) return;
  float here = texelFetch(fluid, pixel, 0).r;
  if (here == 0) {
    imageStore(smoothed, pixel, vec4(0));
    return;
  }
  float reach = min(width * radius * per_pixel / here, widest);
  vec2 sum = vec2(0, 1);
  if (along != ivec2(0)) {
    int steps = clamp(int(reach), 1, places);
    float stride = max(reach / float(steps), 1);
    for (int k = 1; k <= steps; ++k)
      add_pair(sum, pixel, here, vec2(along) * stride * float(k), float(k) / float(steps));
  } else {
    int steps = clamp(int(reach), 1, places_around);
    float stride = max(reach / float(steps), 1);
    for (int y = 0; y <= steps; ++y)
      for (int x = y == 0 ? 1 : -steps; x <= steps; ++x)
        add_pair(sum, pixel, here, stride * vec2(x, y), length(vec2(x, y)) / float(steps));
  }
  imageStore(smoothed, pixel, vec4(here + sum.x / sum.y));
}

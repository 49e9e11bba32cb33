#version 450 core
// Draws a point as one pixel that adds its weight, and its weight times t: 0..1, the position of
// its scalar in the colour range.

layout(location = 0) in vec3 position;
layout(location = 1) in float scalar;
layout(location = 2) in float weight;

flat out vec2 sum;  // weight, weight times t

// Identical to splat_deposit.comp: both must choose the same pixel.
// begin of the shared part
uniform mat4 clip_from_world;
uniform vec2 viewport;       // pixels
uniform float scalar_low;
uniform float scalar_scale;  // 1 / (high - low); 0: t is 0.5
uniform float weight_floor;  // lower weights count as this
uniform float category;      // only points with this scalar are drawn; below 0: all

// Tests the bits, because compilers may assume that isnan is never true.
bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

bool finite(vec4 v) { return finite(v.x) && finite(v.y) && finite(v.z) && finite(v.w); }

// The pixel of a point; false if it adds nothing. `precise`, so that the same numbers give the same
// pixel.
bool find_pixel(vec3 at, float weight, out vec2 pixel) {
  precise vec4 clip = clip_from_world[0] * at.x + clip_from_world[1] * at.y + clip_from_world[2] * at.z + clip_from_world[3];
  precise vec2 place = (clip.xy / clip.w * 0.5 + 0.5) * viewport;
  pixel = min(floor(place), viewport - 1);
  return finite(vec4(at, weight)) && finite(clip) && max(weight, weight_floor) > 0 && clip.w > 0 &&
         all(lessThanEqual(abs(clip.xyz), vec3(clip.w)));
}

bool chosen(float scalar) { return category < 0 || scalar == category; }

float colour_place(float scalar) {
  if (scalar_scale == 0) return 0.5;
  return finite(scalar) ? clamp((scalar - scalar_low) * scalar_scale, 0, 1) : 0;
}
// end of the shared part

void main() {
  vec2 pixel;
  bool visible = find_pixel(position, weight, pixel) && chosen(scalar);
  gl_Position = visible ? vec4((pixel + 0.5) / viewport * 2 - 1, 0, 1) : vec4(2, 2, 2, 1);  // outside the clip volume
  sum = max(weight, weight_floor) * vec2(1, colour_place(scalar));
}

#version 450 core
// Like splat_points.vert, in integers: independent of the order of additions. A weight of 1 has
// `units_of_one` units, few enough that all points in one pixel do not overflow 32 bits; fractions
// of a unit are rounded up or down by a random number per point, unbiased.
//
// Many points in few pixels would contend for these pixels. Each group therefore checks whether its
// first points share pixels; if so, it sums the others in a small hash table in shared memory and
// adds each of the table's pixels once.

layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly restrict buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly restrict buffer Scalars { float scalars[]; };
layout(std430, binding = 2) readonly restrict buffer Weights { float weights[]; };
layout(std430, binding = 4) readonly restrict buffer Scale { float units_of_one; };

uniform uint count;     // points in the bound ranges of the buffers
uniform uint index;     // of the first of them among all points
uniform bool weighted;  // false: all weights are 1
uniform uint rounds;    // points per invocation: one plus a multiple of four

void add(uint pixel, uint units, uint units_t);

// Identical to splat_points.vert: both must choose the same pixel.
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

const uint slots = 1024u;  // of the table
const uint slot_bits = 10u;
const uint repeats_worth_it = 8u;  // of the 128 points of the first round
const uint none = 0xffffffffu;

shared uint pixel_of_slot[slots], units_of_slot[slots], units_t_of_slot[slots];
shared uint repeats;

uint slot_of(uint pixel) { return (pixel * 0x9e3779b1u) >> (32u - slot_bits); }

// Multiplication and shifts that mix all bits well.
uint mixed(uint x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// Stochastic rounding; `random` is below 65536.
uint whole(float x, uint random) { return uint(x) + (fract(x) * 65536 > float(random) ? 1u : 0u); }

// Adds to the table if possible; a slot keeps the first pixel that hashes to it.
bool add_to_table(uint pixel, uint units, uint units_t) {
  uint slot = slot_of(pixel);
  uint there = atomicCompSwap(pixel_of_slot[slot], none, pixel);
  if (there != none && there != pixel) return false;
  atomicAdd(units_of_slot[slot], units);
  atomicAdd(units_t_of_slot[slot], units_t);
  return true;
}

// The pixel of a point and its contribution; false if there is none.
bool find_sum(uint i, vec3 at, float scalar, float weight, out uint pixel, out uint units, out uint units_t) {
  vec2 place;
  if (i >= count || !chosen(scalar) || !find_pixel(at, weight, place)) return false;
  uint random = mixed(index + i);
  units = whole(max(weight, weight_floor) * units_of_one, random & 0xffffu);
  units_t = min(whole(float(units) * colour_place(scalar), random >> 16), units);
  pixel = uint(place.y) * uint(viewport.x) + uint(place.x);
  return units != 0u;
}

void deposit(uint i, vec3 at, float scalar, float weight, bool use_table) {
  uint pixel, units, units_t;
  if (!find_sum(i, at, scalar, weight, pixel, units, units_t)) return;
  if (use_table && add_to_table(pixel, units, units_t)) return;
  add(pixel, units, units_t);
}

// Loading four points before using the first saves a quarter of the time.
void deposit_four(uint i, bool use_table) {
  uvec4 k = min(uvec4(i) + gl_WorkGroupSize.x * uvec4(0u, 1u, 2u, 3u), uvec4(count - 1u)), p = 3u * k;
  vec4 x = vec4(positions[p.x], positions[p.y], positions[p.z], positions[p.w]);
  vec4 y = vec4(positions[p.x + 1u], positions[p.y + 1u], positions[p.z + 1u], positions[p.w + 1u]);
  vec4 z = vec4(positions[p.x + 2u], positions[p.y + 2u], positions[p.z + 2u], positions[p.w + 2u]);
  vec4 scalar = vec4(scalars[k.x], scalars[k.y], scalars[k.z], scalars[k.w]), weight = vec4(1);
  if (weighted) weight = vec4(weights[k.x], weights[k.y], weights[k.z], weights[k.w]);
  deposit(i, vec3(x.x, y.x, z.x), scalar.x, weight.x, use_table);
  deposit(i + gl_WorkGroupSize.x, vec3(x.y, y.y, z.y), scalar.y, weight.y, use_table);
  deposit(i + 2u * gl_WorkGroupSize.x, vec3(x.z, y.z, z.z), scalar.z, weight.z, use_table);
  deposit(i + 3u * gl_WorkGroupSize.x, vec3(x.w, y.w, z.w), scalar.w, weight.w, use_table);
}

void main() {
  uint me = gl_LocalInvocationIndex, group = gl_WorkGroupSize.x;
  uint first = gl_WorkGroupID.x * (rounds * group) + me;
  for (uint slot = me; slot < slots; slot += group) pixel_of_slot[slot] = none;
  if (me == 0u) repeats = 0u;
  barrier();
  uint pixel, units, units_t, i = min(first, count - 1u);
  if (find_sum(first, vec3(positions[3u * i], positions[3u * i + 1u], positions[3u * i + 2u]), scalars[i],
               weighted ? weights[i] : 1, pixel, units, units_t)) {
    if (atomicExchange(pixel_of_slot[slot_of(pixel)], pixel) == pixel) atomicAdd(repeats, 1u);
    add(pixel, units, units_t);
  }
  barrier();
  bool use_table = repeats >= repeats_worth_it;
  if (use_table) {
    for (uint slot = me; slot < slots; slot += group) {
      pixel_of_slot[slot] = none;
      units_of_slot[slot] = units_t_of_slot[slot] = 0u;
    }
    barrier();
  }
  for (uint round = 1u; round < rounds; round += 4u) deposit_four(first + round * group, use_table);
  if (!use_table) return;
  barrier();
  for (uint slot = me; slot < slots; slot += group)
    if (pixel_of_slot[slot] != none) add(pixel_of_slot[slot], units_of_slot[slot], units_t_of_slot[slot]);
}

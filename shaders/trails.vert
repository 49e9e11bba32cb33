#version 450 core
// The trail of a body (an instance): from its current position through the stored ones, newest
// first. Two vertices per point.

// ring buffer of samples of all bodies
layout(std430, binding = 0) readonly restrict buffer Remembered { float remembered[]; };
layout(std430, binding = 1) readonly restrict buffer Positions { float positions[]; };
layout(std430, binding = 2) readonly restrict buffer Scalars { float scalars[]; };

uniform mat4 clip_from_world;
// of the ring buffer: bodies per sample, samples, the newest sample
uniform int bodies, rows, newest;
uniform int count;                 // points of a trail
uniform float scalar_low, scalar_scale;
layout(binding = 0) uniform sampler1D color_map;  // linear light

out float across;
out float age;           // 0: now, 1: the end of the trail
flat out vec3 body_color;  // linear light

// In thick_line.vert.
bool finite(float x);
bool finite(vec4 v);
vec4 widened(vec4 before, vec4 here, vec4 after, float side);
float across_of(vec4 here, float side);

vec4 clip_of(int k) {
  k = clamp(k, 0, count - 1);
  int at = 3 * gl_InstanceID;
  if (k == 0) return clip_from_world * vec4(positions[at], positions[at + 1], positions[at + 2], 1);
  at += 3 * bodies * ((newest - (k - 1) + rows) % rows);
  return clip_from_world * vec4(remembered[at], remembered[at + 1], remembered[at + 2], 1);
}

void main() {
  int k = gl_VertexID >> 1;
  float side = (gl_VertexID & 1) == 0 ? -1 : 1;
  vec4 before = clip_of(k - 1), here = clip_of(k), after = clip_of(k + 1);
  // Cuts away non-finite points and the segments to them.
  gl_ClipDistance[0] = finite(here) ? 1 : -1;
  if (!finite(here)) here = finite(before) ? before : after;
  if (!finite(here)) here = vec4(2, 2, 2, 1);
  if (!finite(before)) before = here;
  if (!finite(after)) after = here;
  gl_Position = widened(before, here, after, side);
  across = across_of(here, side);
  // the newest sample may equal the current position
  age = float(max(k - 1, 0)) / float(max(count - 2, 1));
  float t = finite(scalars[gl_InstanceID]) ? clamp((scalars[gl_InstanceID] - scalar_low) * scalar_scale, 0, 1) : 0;
  if (scalar_scale == 0) t = 0.5;
  body_color = textureLod(color_map, (t * 255 + 0.5) / 256, 0).rgb;
}

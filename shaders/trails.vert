#version 450 core
// The trail of a body (an instance): from its current position through the stored ones, newest
// first. Two vertices per point.

// ring buffer of samples of all bodies
layout(std430, binding = 0) readonly restrict buffer Remembered { float remembered[]; };
layout(std430, binding = 1) readonly restrict buffer Positions { float positions[]; };
layout(std430, binding = 2) readonly restrict buffer Scalars { float scalars[]; };
layout(std430, binding = 3) readonly restrict buffer Weights { float weights[]; };

uniform mat4 clip_from_world;
// of the ring buffer: bodies per sample, samples, the newest sample
uniform int bodies, rows, newest;
uniform int count;                 // points of a trail
uniform vec4 clip;                 // in the axes of the world
uniform bool weighted;             // bodies have weights; those without a finite one have no trail

out float across;
out float age;           // 0: now, 1: the end of the trail
flat out vec3 body_color;  // linear light

// In thick_line.vert.
bool finite(float x);
bool finite(vec4 v);
vec4 widened(vec4 before, vec4 here, vec4 after, float side);
float across_of(vec4 here, float side);
vec3 color_of_body(float scalar);  // in body_color.vert

vec4 point(int k) {
  k = clamp(k, 0, count - 1);
  int at = 3 * gl_InstanceID;
  if (k == 0) return vec4(positions[at], positions[at + 1], positions[at + 2], 1);
  at += 3 * bodies * ((newest - (k - 1) + rows) % rows);
  return vec4(remembered[at], remembered[at + 1], remembered[at + 2], 1);
}

vec4 clip_of(int k) { return clip_from_world * point(k); }

void main() {
  int k = gl_VertexID >> 1;
  float side = (gl_VertexID & 1) == 0 ? -1 : 1;
  vec4 before = clip_of(k - 1), here = clip_of(k), after = clip_of(k + 1);
  // Cuts away non-finite points and the segments to them.
  bool shown = !weighted || finite(weights[gl_InstanceID]);
  gl_ClipDistance[0] = finite(here) && shown ? 1 : -1;
  gl_ClipDistance[1] = dot(clip, point(k));
  if (!finite(here)) here = finite(before) ? before : after;
  if (!finite(here)) here = vec4(2, 2, 2, 1);
  if (!finite(before)) before = here;
  if (!finite(after)) after = here;
  gl_Position = widened(before, here, after, side);
  across = across_of(here, side);
  // the newest sample may equal the current position
  age = float(max(k - 1, 0)) / float(max(count - 2, 1));
  body_color = color_of_body(scalars[gl_InstanceID]);
}

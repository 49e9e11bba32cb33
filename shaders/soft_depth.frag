#version 450 core
// Visible fraction of a fragment beside the spheres; linked with shaders that draw lines.

layout(binding = 1) uniform sampler2DMS spheres;  // near plane over distance; 0: empty
uniform int samples;      // of that picture; 0: no spheres
uniform float near;       // distance of the near plane
// distance behind a surface at which lines have vanished, relative to the distance
uniform float softness;
// of a fluid [world length for each unit of its distances]: only what is behind it is seen; 0: none
uniform float beyond;
layout(binding = 2) uniform sampler2D fluid;  // distance; 0: nothing

// Complements the fraction that is seen before the fluid.
float seen_beyond() {
  if (beyond == 0) return 1;
  float front = texelFetch(fluid, ivec2(gl_FragCoord.xy), 0).r;
  return front > 0 ? smoothstep(-softness, softness, 1 / (gl_FragCoord.w * front * beyond) - 1) : 1;
}

float seen() {
  if (samples == 0) return seen_beyond();
  float own = near * gl_FragCoord.w, sum = 0;
  for (int i = 0; i < samples; ++i) {
    float other = texelFetch(spheres, ivec2(gl_FragCoord.xy), i).r;
    sum += 1 - smoothstep(-softness, softness, other / own - 1);
  }
  return sum / samples * seen_beyond();
}

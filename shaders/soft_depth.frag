#version 450 core
// Visible fraction of a fragment beside the spheres; linked with shaders that draw lines.

layout(binding = 1) uniform sampler2DMS spheres;  // near plane over distance; 0: empty
uniform int samples;      // of that picture; 0: no spheres
uniform float near;       // distance of the near plane
// distance behind a surface at which lines have vanished, relative to the distance
uniform float softness;

float seen() {
  if (samples == 0) return 1;
  float own = near * gl_FragCoord.w, sum = 0;
  for (int i = 0; i < samples; ++i) {
    float other = texelFetch(spheres, ivec2(gl_FragCoord.xy), i).r;
    sum += 1 - smoothstep(-softness, softness, other / own - 1);
  }
  return sum / samples;
}

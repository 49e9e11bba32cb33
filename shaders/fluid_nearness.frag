#version 450 core
// Writes the depth of a fluid's surface, so that it hides lines.

layout(binding = 0) uniform sampler2D fluid;  // distance; 0: nothing
uniform float near;

void main() {
  float away = texelFetch(fluid, ivec2(gl_FragCoord.xy), 0).r;
  if (away == 0) discard;
  gl_FragDepth = clamp(near / away, 0, 1);
}

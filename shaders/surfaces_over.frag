#version 450 core
// The mean of the samples of a premultiplied picture.

layout(binding = 0) uniform sampler2DMS picture;
uniform int samples;
out vec4 color;

void main() {
  vec4 sum = vec4(0);
  for (int i = 0; i < samples; ++i) sum += texelFetch(picture, ivec2(gl_FragCoord.xy), i);
  color = sum / samples;
}

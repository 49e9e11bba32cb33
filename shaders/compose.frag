#version 450 core
// A picture with several samples a pixel over the background.

layout(binding = 0) uniform sampler2DMS picture;  // sRGB; alpha 1 where there is something
uniform int samples;
uniform vec3 background;  // linear light
out vec4 color;

// In colors.glsl.
vec3 linear_of(vec3 code);
vec4 stored(vec3 linear, vec2 place);

void main() {
  vec4 sum = vec4(0);
  for (int i = 0; i < samples; ++i) {
    vec4 one = texelFetch(picture, ivec2(gl_FragCoord.xy), i);
    sum += vec4(linear_of(one.rgb), 1) * one.a;
  }
  sum /= samples;
  color = stored(sum.rgb + background * (1 - sum.a), gl_FragCoord.xy);
}

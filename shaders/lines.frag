#version 450 core
// An antialiased line in an sRGB colour.

in float across;
uniform vec4 line_color;
uniform float half_width;
out vec4 color;

float seen();  // in soft_depth.frag

void main() {
  float inside = clamp(half_width + 0.5 - abs(across * gl_FragCoord.w), 0, min(2 * half_width, 1));
  color = vec4(line_color.rgb, line_color.a * inside * seen());
}

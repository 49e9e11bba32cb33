#version 450 core
// The sprite (1 - r^2/R^2)^5: close to a Gaussian, exactly 0 at its edge, integral pi R^2 / 6.

flat in vec2 center;
flat in float reach;
flat in vec4 light;
out vec4 sum;

void main() {
  vec2 d = (gl_FragCoord.xy - center) / reach;
  float rest = max(1 - dot(d, d), 0);
  sum = light * (rest * rest * rest * rest * rest);
}

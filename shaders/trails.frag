#version 450 core
// A trail that fades with age: as light added to a picture of light, or as colour over a screen
// picture.

in float across;
in float age;
flat in vec3 body_color;

uniform float half_width;
uniform bool as_light;
uniform float brightness;       // of the trail's newest end: as shown on the screen, or its opacity
uniform float faint, of_white;  // the tone map's scale: faint, asinh(white / faint)
uniform float strength;         // factor on the light; smaller for many trails
out vec4 color;

// In colors.glsl and soft_depth.frag.
vec3 srgb(vec3 linear);
float seen();

void main() {
  float inside = clamp(half_width + 0.5 - abs(across * gl_FragCoord.w), 0, min(2 * half_width, 1));
  float rest = 1 - age;
  if (as_light) {
    // The density that the tone map shows with this brightness.
    float density = strength * faint * sinh(brightness * rest * of_white);
    color = vec4(body_color, 1) * (density * inside);
  } else {
    color = vec4(srgb(body_color), brightness * pow(rest, 1.5) * inside * seen());
  }
}

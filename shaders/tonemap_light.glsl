#version 450 core
// Light that is added to the background.

uniform float halo;  // strength of the halo of bright areas on the screen

vec3 raised(vec3 linear);  // in colors.glsl

vec3 on_screen(vec3 background, vec3 mean, float level, float pale, vec4 around, float white) {
  vec3 shown = mix(mean * pow(min(level, 1), 2.2), vec3(1), pale);
  if (halo > 0 && around.a > 0) shown += (1 - shown) * raised(around.rgb / around.a) * (halo * (1 - exp(-around.a / white)));
  return clamp(background + shown * (1 - background), 0, 1);
}

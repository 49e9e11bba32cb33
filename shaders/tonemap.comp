#version 450 core
// Light to sRGB. Hue is that of the mean colour of the points in a pixel; brightness follows from
// density on an asinh scale: linear for faint light, logarithmic for bright. Faint tails and dense
// cores both show, in their colours.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D picture;  // colour times density, density
layout(binding = 1) uniform sampler2D glow;     // the same, scattered (glow.comp)
layout(binding = 0, rgba8) uniform writeonly restrict image2D screen;
uniform float white;      // density shown in the full colour of the map
uniform float faint;      // density at which the scale turns from linear to logarithmic
uniform vec3 background;  // linear light
uniform bool ink;         // light covers the background instead of being added to it
uniform float glow_part;  // fraction of the light that is scattered
uniform float halo;       // strength of the halo of bright areas on the screen

// In colors.glsl.
vec3 raised(vec3 linear);
vec3 srgb(vec3 linear);
vec3 linear_of(vec3 code);
vec4 stored(vec3 linear, vec2 place);

const float pale_strength = 1.5;  // how fast densities beyond white turn pale,
const float pale_limit = 0.6;     // and how pale at most

float asinh_of(float x) { return log(x + sqrt(x * x + 1)); }

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(screen);
  if (any(greaterThanEqual(pixel, size))) return;
  vec4 light = texelFetch(picture, pixel, 0), around = vec4(0);
  if (glow_part > 0) {
    around = textureLod(glow, (vec2(pixel) + 0.5) / vec2(size), 0);
    light = light * (1 - glow_part) + around * glow_part;
  }
  vec3 shown = vec3(0);
  if (light.a > 0) {
    vec3 mean = raised(light.rgb / light.a);
    float level = asinh_of(light.a / faint) / asinh_of(white / faint);
    float pale = pale_limit * (1 - exp(-pale_strength * max(level - 1, 0)));
    if (ink) {
      // What is pale on a dark sky is dark here.
      vec3 code = mix(srgb(background), srgb(mean) * (1 - pale), min(level, 1));
      imageStore(screen, pixel, stored(linear_of(code), vec2(pixel)));
      return;
    }
    shown = mix(mean * pow(min(level, 1), 2.2), vec3(1), pale);
  }
  if (halo > 0 && around.a > 0) shown += (1 - shown) * raised(around.rgb / around.a) * (halo * (1 - exp(-around.a / white)));
  imageStore(screen, pixel, stored(clamp(background + shown * (1 - background), 0, 1), vec2(pixel)));
}

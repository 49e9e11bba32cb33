#version 450 core
// Light to sRGB. Hue is that of the mean colour of the points in a pixel; brightness follows from density
// on an asinh scale: linear for faint light, logarithmic for bright. Faint tails and dense cores both show,
// in their colours.

layout(binding = 0) uniform sampler2D picture;  // colour times density, density
uniform float white;      // density that is shown in the full colour of the map
uniform float faint;      // density at which the scale turns from linear to logarithmic
uniform vec3 background;  // linear light
uniform float coarsest;   // level of the picture that the widest glow comes from
uniform float glow_part;  // of the light that is scattered about its place
uniform float halo;       // strength of what bright places shine about them on the screen
out vec4 color;

// In colors.frag.
vec3 raised(vec3 linear);
vec4 stored(vec3 linear, vec2 place);

const float pale_strength = 1.5;  // how fast a density beyond white turns pale,
const float pale_limit = 0.6;     // and how pale at most

// A level of the picture through a cubic B-spline, which shows no squares; four bilinear reads.
vec4 smooth_level(vec2 place, int level) {
  vec2 size = vec2(textureSize(picture, level));
  vec2 p = place * size - 0.5;
  vec2 base = floor(p), f = p - base, g = 1 - f;
  vec2 w0 = g * g * g / 6, w3 = f * f * f / 6;
  vec2 w1 = 2.0 / 3.0 - 0.5 * f * f * (2 - f), w2 = 1 - w0 - w1 - w3;
  vec2 low = (base - 0.5 + w1 / (w0 + w1)) / size, high = (base + 1.5 + w3 / (w2 + w3)) / size;
  vec2 part = w2 + w3;
  vec4 below = mix(textureLod(picture, low, level), textureLod(picture, vec2(high.x, low.y), level), part.x);
  vec4 above = mix(textureLod(picture, vec2(low.x, high.y), level), textureLod(picture, high, level), part.x);
  return mix(below, above, part.y);
}

vec4 glow() {
  vec2 place = gl_FragCoord.xy / vec2(textureSize(picture, 0));
  int last = int(round(coarsest));
  int first = max(last - 3, 0);
  vec4 sum = vec4(0);
  for (int level = first; level <= last; ++level) sum += smooth_level(place, level);
  return sum / (last - first + 1);
}

float asinh_of(float x) { return log(x + sqrt(x * x + 1)); }

void main() {
  vec4 light = texelFetch(picture, ivec2(gl_FragCoord.xy), 0), around = vec4(0);
  if (glow_part > 0) {
    around = glow();
    light = light * (1 - glow_part) + around * glow_part;
  }
  vec3 shown = vec3(0);
  if (light.a > 0) {
    vec3 mean = raised(light.rgb / light.a);
    float level = asinh_of(light.a / faint) / asinh_of(white / faint);
    float pale = pale_limit * (1 - exp(-pale_strength * max(level - 1, 0)));
    shown = mix(mean * pow(min(level, 1), 2.2), vec3(1), pale);
  }
  if (halo > 0 && around.a > 0) shown += (1 - shown) * raised(around.rgb / around.a) * (halo * (1 - exp(-around.a / white)));
  color = stored(clamp(background + shown * (1 - background), 0, 1), gl_FragCoord.xy);
}

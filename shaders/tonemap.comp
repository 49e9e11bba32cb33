#version 450 core
// Light to sRGB. Hue is that of the mean colour of the points in a pixel; brightness follows from
// density on an asinh scale: linear for faint light, logarithmic for bright. Faint tails and dense
// cores both show, in their colours.

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D picture;  // colour times density, density
layout(binding = 1) uniform sampler2D glow;     // the same, scattered (glow.comp)
layout(binding = 0, rgba8) uniform writeonly restrict image2D screen;
uniform int side;         // of a tile
uniform float white;      // density shown in the full colour of the map
uniform float faint;      // density at which the scale turns from linear to logarithmic
uniform float of_white;   // asinh(white / faint)
uniform vec3 background;  // linear light
uniform float glow_part;  // fraction of the light that is scattered

// In tiles.glsl.
ivec2 pixel_in_tile(int side);
// In colors.glsl.
vec3 raised(vec3 linear);
vec4 stored(vec3 linear, vec2 place);
// In tonemap_light.glsl or tonemap_ink.glsl, which is another program, because drivers without a GPU
// compute both sides of a branch. Linear light on the screen, where the mean colour of the points is
// `mean`. `level` of brightness: 1 is white; `pale`: how pale what is brighter is; `around`: the glow.
vec3 on_screen(vec3 background, vec3 mean, float level, float pale, vec4 around, float white);

const float pale_strength = 1.5;  // how fast densities beyond white turn pale,
const float pale_limit = 0.6;     // and how pale at most

float asinh_of(float x) { return log(x + sqrt(x * x + 1)); }

void main() {
  ivec2 pixel = pixel_in_tile(side), size = imageSize(screen);
  if (any(greaterThanEqual(pixel, size))) return;
  vec4 light = texelFetch(picture, pixel, 0), around = vec4(0);
  if (glow_part > 0) {
    around = textureLod(glow, (vec2(pixel) + 0.5) / vec2(size), 0);
    light = light * (1 - glow_part) + around * glow_part;
  }
  vec3 shown = background;
  if (light.a > 0) {
    vec3 mean = raised(light.rgb / light.a);
    float level = asinh_of(light.a / faint) / of_white;
    float pale = pale_limit * (1 - exp(-pale_strength * max(level - 1, 0)));
    shown = on_screen(background, mean, level, pale, around, white);
  }
  imageStore(screen, pixel, stored(shown, vec2(pixel)));
}

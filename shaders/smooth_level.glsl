#version 450 core
// Samples a level with a cubic B-spline, which avoids blocks; four bilinear reads.
vec4 smooth_level(sampler2D picture, vec2 place, int level) {
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

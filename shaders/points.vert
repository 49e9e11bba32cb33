#version 450 core
// Draws a point as a round soft sprite; its colour follows from its scalar, its light from its
// weight.

layout(location = 0) in vec3 position;
layout(location = 1) in float scalar;
layout(location = 2) in float weight;

uniform mat4 clip_from_world;
uniform vec2 viewport;       // pixels
uniform float weight_floor;  // lower weights count as this
uniform float light_one;     // light of a point of weight 1, summed over the pixels
uniform float radius;        // of the largest sprite, pixels
uniform float smallest;      // radius of a point of weight 0, relative to the largest
uniform float weight_one;    // weight of a point of full size

flat out vec2 center;  // window coordinates
flat out float reach;  // radius of this sprite [pixels]
flat out vec4 light;   // at the centre: colour times density, density

const float pi = 3.14159265;
const float sharpness = 5;  // as in points.frag

// Tests the bits, because compilers may assume that isnan is never true.
bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

bool finite(vec4 v) { return finite(v.x) && finite(v.y) && finite(v.z) && finite(v.w); }

vec3 color_of_body(float scalar);  // in body_color.vert

void main() {
  float shown_weight = max(weight, weight_floor);
  vec4 clip = clip_from_world * vec4(position, 1);
  bool visible = finite(vec4(position, weight)) && finite(clip) && shown_weight > 0;
  gl_Position = visible ? clip : vec4(2, 2, 2, 1);  // outside the clip volume
  reach = radius * mix(smallest, 1, pow(clamp(weight / weight_one, 0, 1), 0.2));
  gl_PointSize = ceil(2 * reach) + 1;  // an integer, so that no driver clips the sprite

  vec3 color = color_of_body(scalar);
  center = (gl_Position.xy / gl_Position.w * 0.5 + 0.5) * viewport;
  light = vec4(color, 1) * (light_one * shown_weight * (sharpness + 1) / (pi * reach * reach));
}

#version 450 core
// A translucent surface, more opaque at grazing angles as glass is; premultiplied sRGB.

in vec3 place, normal;
uniform vec4 surface_color;  // linear light, and opacity seen straight on
uniform float rim;           // additional opacity at grazing angles
uniform float brightness;
uniform bool beyond;  // only what is behind the fluid is drawn
layout(binding = 0) uniform sampler2D fluid;  // distance; 0: nothing
out vec4 color;

// In colors.glsl and lighting.glsl.
vec3 srgb(vec3 linear);
vec3 light_of(vec3 albedo, vec3 normal, vec3 to_eye, float lamp);
float lamp_seen(vec3 place, vec3 normal);  // in lamp_clear.glsl or lamp_shadow.glsl

void main() {
  if (beyond && -place.z < texelFetch(fluid, ivec2(gl_FragCoord.xy), 0).r) discard;
  vec3 to_eye = normalize(-place), facing = normalize(normal);
  if (dot(facing, to_eye) < 0) facing = -facing;
  float grazing = 1 - dot(facing, to_eye);
  float opacity = clamp(surface_color.a + rim * grazing * grazing * grazing, 0, 1);
  color = vec4(srgb(clamp(light_of(surface_color.rgb, facing, to_eye, lamp_seen(place, facing)) * brightness, 0, 1)) * opacity, opacity);
}

#version 450 core
// Light from a surface under a wide lamp at the camera's upper left, a sky and the ground, in the
// camera's axes; linked with shaders that draw bodies.

const vec3 to_key = normalize(vec3(-0.55, 0.68, 0.6));
const vec3 key = vec3(1.0, 0.97, 0.92) * 0.92;
const vec3 sky = vec3(0.30, 0.34, 0.42), ground = vec3(0.085, 0.075, 0.08);

// `lamp`: how much of the lamp is seen, 0 to 1.
vec3 light_of(vec3 albedo, vec3 normal, vec3 to_eye, float lamp) {
  vec3 ambient = mix(ground, sky, normal.y * 0.5 + 0.5);
  float facing = clamp((dot(normal, to_key) + 0.18) / 1.18, 0, 1);  // the lamp is wide: its light wraps around
  float lit = facing * lamp;
  float grazing = 1 - max(dot(normal, to_eye), 0);
  float edge = grazing * grazing * grazing * grazing;
  float glint = pow(max(dot(normal, normalize(to_key + to_eye)), 0), 60);
  return albedo * (ambient + key * lit * sqrt(facing)) + (0.35 * edge * (0.4 + 0.6 * lit)) * mix(sky, albedo, 0.4) + 0.16 * glint * lamp * key;
}

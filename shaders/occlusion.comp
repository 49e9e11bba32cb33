#version 450 core
// Ambient obscurance: the fraction of the sky that a point of a surface sees, from the depths
// around it (McGuire, Mara and Luebke 2012, Scalable Ambient Obscurance, HPG).

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2DMS nearness;  // near plane over distance; 0: empty
layout(binding = 0, r16f) uniform writeonly restrict image2D seen;
uniform vec4 lens;    // of the projection: scale of x and y, shift of x and y
uniform float near;   // distance of the near plane
uniform float reach;  // of what hides the sky, as a part of the picture's height
uniform float strength;

const int samples = 14;
const float turns = 5;        // of the spiral of samples
const float bias = 0.012;     // of the distance in `reach`: flat surfaces do not hide themselves
const float pi = 3.14159265;

ivec2 size = imageSize(seen);

float distance_at(ivec2 pixel) {
  float value = texelFetch(nearness, clamp(pixel, ivec2(0), size - 1), 0).r;
  return value > 0 ? near / value : 0;
}

vec3 place(vec2 pixel, float away) {
  return vec3(((pixel + 0.5) / vec2(size) * 2 - 1 + lens.zw) / lens.xy, -1) * away;
}

// From a pixel to the next along a direction, on the side where depth changes less.
vec3 slope(ivec2 pixel, ivec2 along, float here) {
  float ahead = distance_at(pixel + along), back = distance_at(pixel - along);
  float up = ahead > 0 ? ahead - here : 1e30, down = back > 0 ? here - back : 1e30;
  if (abs(up) <= abs(down)) return place(vec2(pixel + along), here + (up < 1e30 ? up : 0)) - place(vec2(pixel), here);
  return place(vec2(pixel), here) - place(vec2(pixel - along), here - down);
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, size))) return;
  float here = distance_at(pixel);
  if (here == 0) {
    imageStore(seen, pixel, vec4(1));
    return;
  }
  vec3 at = place(vec2(pixel), here);
  vec3 normal = normalize(cross(slope(pixel, ivec2(1, 0), here), slope(pixel, ivec2(0, 1), here)));
  if (!(dot(normal, at) < 0)) normal = -normalize(at);
  float pixels = reach * float(size.y), radius = reach * here * 2 / lens.y;
  // 16 turns of the spiral in blocks of 4 x 4 pixels, which occlusion_blur.comp averages.
  float turn = float((pixel.x & 3) * 4 + (pixel.y & 3)) / 16 * 2 * pi;
  float sum = 0;
  for (int i = 0; i < samples; ++i) {
    float part = (float(i) + 0.5) / samples, angle = part * turns * 2 * pi + turn;
    ivec2 other = pixel + ivec2(round(part * pixels * vec2(cos(angle), sin(angle))));
    if (any(lessThan(other, ivec2(0))) || any(greaterThanEqual(other, size))) continue;
    float away = distance_at(other);
    if (away == 0) continue;
    vec3 way = place(vec2(other), away) - at;
    float squared = dot(way, way) / (radius * radius), up = dot(way, normal) / radius;
    float falls = max(1 - squared, 0);
    sum += falls * falls * falls * max(up - bias, 0) / (squared + 0.01);
  }
  imageStore(seen, pixel, vec4(clamp(1 - strength * 5 * sum / samples, 0, 1)));
}

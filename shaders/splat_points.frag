#version 450 core
// Contribution of a point to its pixel.

flat in vec2 sum;
layout(location = 0) out vec2 added;

void main() { added = sum; }

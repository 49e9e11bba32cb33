#version 450 core
// What a point adds to its pixel.

flat in vec2 sum;
layout(location = 0) out vec2 added;

void main() { added = sum; }

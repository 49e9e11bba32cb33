#version 450 core
// Depths alone, of triangles.

void main() {}

#version 450 core
// A triangle over the whole picture.

void main() { gl_Position = vec4((gl_VertexID & 1) * 4 - 1, (gl_VertexID & 2) * 2 - 1, 0, 1); }

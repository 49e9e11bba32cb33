#version 450 core
// The pixel of this invocation in a picture that is computed everywhere.
ivec2 pixel_here() { return ivec2(gl_GlobalInvocationID.xy); }

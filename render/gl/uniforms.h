#pragma once

#include <glm/gtc/type_ptr.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/gl/handle.h"
#include "render/gl/shader.h"

namespace mote::render {

// Sets a uniform of a program by name; names removed by the compiler are ignored.
inline void set(const ProgramHandle& program, const char* name, float value) {
  glProgramUniform1f(program.name(), uniform(program, name), value);
}
inline void set(const ProgramHandle& program, const char* name, int value) {
  glProgramUniform1i(program.name(), uniform(program, name), value);
}
inline void set(const ProgramHandle& program, const char* name, unsigned value) {
  glProgramUniform1ui(program.name(), uniform(program, name), value);
}
inline void set(const ProgramHandle& program, const char* name, const glm::vec2& value) {
  glProgramUniform2fv(program.name(), uniform(program, name), 1, glm::value_ptr(value));
}
inline void set(const ProgramHandle& program, const char* name, const glm::vec3& value) {
  glProgramUniform3fv(program.name(), uniform(program, name), 1, glm::value_ptr(value));
}
inline void set(const ProgramHandle& program, const char* name, const glm::vec4& value) {
  glProgramUniform4fv(program.name(), uniform(program, name), 1, glm::value_ptr(value));
}
inline void set(const ProgramHandle& program, const char* name, const glm::mat4& value) {
  glProgramUniformMatrix4fv(program.name(), uniform(program, name), 1, GL_FALSE,
                            glm::value_ptr(value));
}

}  // namespace mote::render

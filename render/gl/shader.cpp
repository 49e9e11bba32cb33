#include "render/gl/shader.h"

#include "engine/check.h"
#include "engine/files.h"
#include "engine/text.h"

namespace mote::render {
namespace fs = std::filesystem;

namespace {

GLenum stage_of(const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".vert") return GL_VERTEX_SHADER;
  if (ending == ".frag") return GL_FRAGMENT_SHADER;
  MOTE_EXPECT(ending == ".comp");
  return GL_COMPUTE_SHADER;
}

std::string log_of(GLuint name, decltype(glGetShaderiv) get, decltype(glGetShaderInfoLog) get_log) {
  GLint length = 0;
  get(name, GL_INFO_LOG_LENGTH, &length);
  if (length <= 1) return "the driver gave no reason";
  std::string log(static_cast<std::size_t>(length), '\0');
  get_log(name, length, &length, log.data());
  log.resize(static_cast<std::size_t>(length));
  while (!log.empty() && log.back() == '\n') log.pop_back();
  return log;
}

constexpr const char* shader_remedy = "reinstall mote, or update the graphics driver";

ShaderHandle compile(const fs::path& file, GLenum stage) {
  const std::string source = engine::read_file(file);
  ShaderHandle shader(glCreateShader(stage));
  const char* text = source.data();
  const auto length = static_cast<GLint>(source.size());
  glShaderSource(shader.name(), 1, &text, &length);
  glCompileShader(shader.name());
  GLint good = GL_FALSE;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &good);
  if (!good)
    throw engine::SystemError("compile " + file.string(),
                              log_of(shader.name(), glGetShaderiv, glGetShaderInfoLog),
                              shader_remedy);
  return shader;
}

}  // namespace

ProgramHandle load_program(const fs::path& folder, const std::vector<std::string>& files) {
  ProgramHandle program(glCreateProgram());
  std::vector<ShaderHandle> stages;
  GLenum stage = 0;
  for (const std::string& file : files) {
    if (fs::path(file).extension() != ".glsl") stage = stage_of(file);
    stages.push_back(compile(folder / file, stage));
    glAttachShader(program.name(), stages.back().name());
  }
  glLinkProgram(program.name());
  for (const ShaderHandle& shader : stages) glDetachShader(program.name(), shader.name());
  GLint good = GL_FALSE;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &good);
  if (!good)
    throw engine::SystemError("link " + engine::joined(files, ", ") + " of " + folder.string(),
                              log_of(program.name(), glGetProgramiv, glGetProgramInfoLog),
                              shader_remedy);
  return program;
}

GLint uniform(const ProgramHandle& program, const char* name) {
  return glGetUniformLocation(program.name(), name);
}

}  // namespace mote::render

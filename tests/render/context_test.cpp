#include "render/context.h"

#include <GL/glew.h>

#include <utility>

#include "tests/render/gl_test.h"

namespace mote::render {
namespace {

class Context : public GlTest {};

TEST_F(Context, IsOpenGl45WithItsFunctionsLoaded) {
  GLint major = 0, minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  EXPECT_GE(10 * major + minor, 45);
  EXPECT_NE(glCreateFramebuffers, nullptr);
  EXPECT_FALSE(context().info().renderer.empty());
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST_F(Context, SwitchesBetweenTwo) {
  EglContext other;
  GLuint name = 0;
  glCreateBuffers(1, &name);
  EXPECT_TRUE(glIsBuffer(name));
  context().make_current();
  EXPECT_FALSE(glIsBuffer(name)) << "a context sees the objects of another";
  other.make_current();
  EXPECT_TRUE(glIsBuffer(name));
}

TEST_F(Context, OutlivesAnother) {
  { EglContext other; }
  context().make_current();
  GLuint name = 0;
  glCreateBuffers(1, &name);
  EXPECT_TRUE(glIsBuffer(name));
}

TEST_F(Context, MovesWithoutClosing) {
  EglContext first;
  EglContext second(std::move(first));
  second.make_current();
  EXPECT_NE(glGetString(GL_VERSION), nullptr);
}

TEST_F(Context, InfoLeavesTheCurrentContextAlone) {
  GLuint name = 0;
  glCreateBuffers(1, &name);
  const GlInfo info = gl_info();
  EXPECT_EQ(info.problem, "");
  EXPECT_EQ(info.renderer, context().info().renderer);
  EXPECT_TRUE(glIsBuffer(name));
}

TEST(ContextInfo, NamesEitherADriverOrAProblem) {
  const GlInfo info = gl_info();
  EXPECT_NE(info.problem.empty(), info.version.empty());
}

}  // namespace
}  // namespace mote::render

#include <chrono>
#include <optional>
#include <thread>

#include "render/gl/target.h"
#include "render/surface.h"

namespace mote::render {
namespace {

class Offscreen : public Surface {
 public:
  explicit Offscreen(const SurfaceOptions& options)
      : context_(options.cuda_device), scale_(usable_scale(requested_scale(options).value_or(1))) {
    resize(options.width, options.height);
  }

  int width() const override { return target_->width(); }
  int height() const override { return target_->height(); }
  double scale() const override { return scale_; }
  GLuint framebuffer() const override { return target_->framebuffer(); }
  const GlInfo& info() const override { return context_.info(); }

  std::vector<InputEvent> poll(double seconds) override {
    // There are no events to wait for.
    if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    return {};
  }
  void show() override { glFlush(); }

  void resize(int width, int height) override {
    // if this throws, the old target is kept
    target_ = Target(width, height, Target::Kind::screen);
    target_->clear({0, 0, 0, 1});
  }

 private:
  EglContext context_;
  std::optional<Target> target_;  // declared after the context, which must outlive it
  double scale_;
};

}  // namespace

std::unique_ptr<Surface> open_offscreen(const SurfaceOptions& options) {
  return std::make_unique<Offscreen>(options);
}

}  // namespace mote::render

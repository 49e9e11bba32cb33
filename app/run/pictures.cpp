#include "app/run/pictures.h"

#include <optional>

#include "api/present.h"
#include "render/capture.h"
#include "render/picture.h"
#include "render/serve/serve.h"

namespace mote::app {
namespace {

class GlPictures final : public Pictures {
 public:
  GlPictures(const sim::SceneDescription& scene, const PictureRequest& request)
      : scene_(scene.camera),
        request_(request),
        presenter_(scene),
        initial_presenter_(presenter_),
        maker_(context_, api::picture_options(scene, request.width, request.height)) {}

  void movie_frame(sim::Simulation& simulation) override {
    const render::Frame& frame = presenter_.present(simulation);
    // Opened late, because the movie may be in the run folder.
    if (!movie_) movie_.emplace(request_.movie, request_.rate);
    if (movie_->count() == 0) fix_view(frame);
    movie_->add(maker_.draw(frame, movie_camera_));
  }

  MoviePosition suspend_movie() override {
    if (!movie_) return {};
    const render::Movie::Checkpoint checkpoint = movie_->checkpoint();
    return {checkpoint.pictures, checkpoint.segments, presenter_.range()};
  }

  void resume_movie(sim::Simulation& first, MoviePosition position) override {
    if (position.pictures == 0) return;
    movie_.emplace(request_.movie, request_.rate,
                   render::Movie::Checkpoint{position.pictures, position.parts, position.finished});
    const render::Frame& frame = presenter_.present(first);
    fix_view(frame);
    maker_.draw(frame, movie_camera_);
    presenter_.widen_range(position.range);
  }

  /// Independent of earlier pictures, so that a resumed run draws the same.
  void picture(sim::Simulation& simulation, const std::filesystem::path& file) override {
    api::Presenter presenter = initial_presenter_;
    const render::Frame& frame = presenter.present(simulation);
    write_png(file, maker_.draw(frame, camera_for(frame)));
  }

  std::filesystem::path finish_movie(bool resumable) override {
    return movie_ ? movie_->finish(resumable) : std::filesystem::path();
  }
  void discard_movie_parts() override {
    if (movie_) movie_->remove_segments();
  }
  std::string renderer() const override { return context_.info().renderer; }

 private:
  /// The first frame fixes the camera and the exposure of the movie.
  void fix_view(const render::Frame& frame) {
    movie_camera_ = camera_for(frame);
    maker_.hold_exposure();
  }

  render::OrbitCamera camera_for(const render::Frame& frame) const {
    return api::camera_for(scene_, frame, static_cast<double>(request_.width) / request_.height);
  }

  sim::Camera scene_;
  PictureRequest request_;
  api::Presenter presenter_;                ///< makes the frames of the movie
  const api::Presenter initial_presenter_;  ///< never used to draw; copied for each picture
  render::EglContext context_;
  render::PictureMaker maker_;
  std::optional<render::Movie> movie_;
  render::OrbitCamera movie_camera_;
};

}  // namespace

std::unique_ptr<Pictures> make_pictures(const sim::SceneDescription& scene,
                                        const PictureRequest& request) {
  return std::make_unique<GlPictures>(scene, request);
}

std::string describe_renderer() {
  const render::GlInfo info = render::gl_info();
  return info.problem.empty() ? info.renderer + ", OpenGL " + info.version
                              : "none: " + info.problem;
}

std::string describe_server() {
  return render::serve::report();
}

}  // namespace mote::app

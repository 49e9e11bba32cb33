#include "app/pictures.h"

#include <optional>

#include "api/present.h"
#include "render/capture.h"
#include "render/picture.h"

namespace mote::app {
namespace {

class GlPictures final : public Pictures {
 public:
  GlPictures(const sim::SceneDescription& scene, const PictureRequest& request)
      : scene_(scene.camera),
        request_(request),
        presenter_(scene),
        fresh_(presenter_),
        maker_(context_, api::picture_options(scene, request.width, request.height)) {}

  void movie_frame(sim::Simulation& simulation) override {
    const render::Frame& frame = presenter_.present(simulation);
    // Opened here and not earlier: the movie may stand in the run's own folder.
    if (!movie_) movie_.emplace(request_.movie, request_.rate);
    if (movie_->count() == 0) take_look(frame);
    movie_->add(maker_.draw(frame, movie_camera_));
  }

  MoviePosition put_movie_by() override {
    if (!movie_) return {};
    const render::Movie::Position position = movie_->put_by();
    return {position.pictures, position.parts, presenter_.range()};
  }

  void go_on(sim::Simulation& first, MoviePosition position) override {
    if (position.pictures == 0) return;
    movie_.emplace(request_.movie, request_.rate,
                   render::Movie::Position{position.pictures, position.parts});
    const render::Frame& frame = presenter_.present(first);
    take_look(frame);
    maker_.draw(frame, movie_camera_);
    presenter_.widen_range(position.range);
  }

  /// Looks as if it were the only one: a run that goes on makes the same.
  void picture(sim::Simulation& simulation, const std::filesystem::path& file) override {
    api::Presenter alone = fresh_;
    const render::Frame& frame = alone.present(simulation);
    write_png(file, maker_.draw(frame, camera_for(frame)));
  }

  std::filesystem::path finish_movie(bool may_go_on) override {
    return movie_ ? movie_->finish(may_go_on) : std::filesystem::path();
  }
  void settle_movie() override {
    if (movie_) movie_->remove_parts();
  }
  std::string renderer() const override { return context_.info().renderer; }

 private:
  /// The first frame decides where the camera stands and how bright the movie is.
  void take_look(const render::Frame& frame) {
    movie_camera_ = camera_for(frame);
    maker_.hold_exposure();
  }

  render::OrbitCamera camera_for(const render::Frame& frame) const {
    return api::camera_for(scene_, frame, static_cast<double>(request_.width) / request_.height);
  }

  sim::Camera scene_;
  PictureRequest request_;
  api::Presenter presenter_;    ///< of the movie
  const api::Presenter fresh_;  ///< has not seen anything yet
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

}  // namespace mote::app

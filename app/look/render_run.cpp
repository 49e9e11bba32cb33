#include "app/look/render_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "api/present.h"
#include "app/look/camera_file.h"
#include "app/look/solid_history.h"
#include "app/look/stored_run.h"
#include "app/look/stored_scene.h"
#include "app/run/interrupt.h"
#include "app/run/progress.h"
#include "engine/check.h"
#include "engine/log.h"
#include "engine/read_process.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "render/capture.h"
#include "sim/expression/expression.h"
#include "sim/io/interpolate.h"
#include "sim/scene/quantity_check.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// Names the data that snapshots with these columns lack for a quantity, or "". Between them there
/// are no accelerations.
std::string missing_for(const sim::Quantity& quantity, const sim::ColumnChoice& columns) {
  if (quantity == sim::Scalar::acceleration || quantity == sim::Scalar::force)
    return "accelerations";
  if (quantity == sim::Scalar::potential && !columns.potential) return "potentials";
  bool moves = quantity == sim::Scalar::speed;
  if (quantity.kind == sim::Scalar::expression) {
    sim::Expressions graph;
    moves = graph.depends_on_velocity(graph.read(quantity.expression, {}));
  }
  return moves && !columns.velocity ? "velocities" : "";
}

/// How to have snapshots with what these lack.
std::string remedy_for(const std::string& missing, const sim::ColumnChoice& columns) {
  if (missing == "accelerations")
    return "choose something else: there are none between two snapshots";
  std::vector<std::string> wanted;
  if (columns.velocity || missing == "velocities") wanted.emplace_back("velocity");
  if (columns.mass) wanted.emplace_back("mass");
  if (columns.species) wanted.emplace_back("species");
  if (columns.acceleration) wanted.emplace_back("acceleration");
  if (columns.potential || missing == "potentials") wanted.emplace_back("potential");
  return "choose something else, or run the scene again with --snapshot-columns " +
         engine::joined(wanted, ",");
}

/// Which bodies are shown, by the request or else the scene.
void set_show(const RenderRequest& request, sim::View& view, const StoredRun& run,
              const sim::ColumnChoice& columns) {
  if (request.show) view.show = *request.show;
  const std::string where = request.show_option + view.show;
  if (auto problem =
          sim::show_problem(view.show, request.show ? where : (run.folder / "run.json").string(),
                            request.show ? "" : "view.show"))
    throw engine::InputError(std::vector{std::move(*problem)});
  if (view.show.empty()) return;
  const std::string missing = missing_for(sim::Quantity::of_expression(view.show), columns);
  if (missing.empty()) return;
  if (request.show)
    throw engine::InputError(where, "snapshots hold no " + missing, remedy_for(missing, columns));
  engine::log().warn("snapshots hold no {}: showing all bodies", missing);
  view.show.clear();
}

/// The scene with the view of the request, if snapshots with these columns have what it shows.
sim::SceneDescription with_view_of(const RenderRequest& request, sim::SceneDescription scene,
                                   const StoredRun& run, const sim::ColumnChoice& columns) {
  scene.view.overlay = request.overlay.value_or(scene.view.overlay);
  set_show(request, scene.view, run, columns);
  if (request.clip)
    scene.view.clip_normal = request.clip->normal, scene.view.clip_offset = request.clip->offset;
  if (request.color) scene.view.color = *request.color;
  if (auto problem = sim::quantity_problem({!scene.species.empty(), true}, scene.view.color,
                                           request.color ? request.color_option + *request.color
                                                         : (run.folder / "run.json").string(),
                                           request.color ? "" : "view.color"))
    throw engine::InputError(std::vector{std::move(*problem)});
  const std::string missing = missing_for(sim::Quantity(scene.view.color), columns);
  if (missing.empty()) return scene;
  if (request.color)
    throw engine::InputError(request.color_option + *request.color, "snapshots hold no " + missing,
                             remedy_for(missing, columns));
  engine::log().warn("snapshots hold no {}: colouring bodies by distance from the origin instead",
                     missing);
  scene.view.color = "radius";
  return scene;
}

/// The contacts of a snapshot, moved to the positions of the grains in `shown`. Drops contacts of
/// grains that `shown` does not have.
sim::ContactNetwork contacts_at(const sim::ContactNetwork& contacts,
                                const sim::State<engine::Host>& shown) {
  std::unordered_map<std::uint32_t, engine::Index> columns;
  for (engine::Index i = 0; i < shown.count(); ++i) columns.emplace(shown.id()[i], i);
  sim::ContactNetwork moved{contacts.grain, {}, {}, {}};
  std::erase_if(moved.grain, [&](std::uint32_t grain) { return !columns.contains(grain); });
  std::visit(
      [&]<class Real>(const sim::ContactNumbers<Real>& from) {
        auto& to = moved.numbers.emplace<sim::ContactNumbers<Real>>();
        shown.visit([&](const auto& s) {
          for (std::size_t k = 0; k < contacts.size(); ++k) {
            const auto found = columns.find(contacts.grain[k]);
            if (found == columns.end()) continue;
            const auto position = {s.x[found->second], s.y[found->second], s.z[found->second]};
            for (int axis = 0; axis < 3; ++axis) {
              to.center[axis].push_back(static_cast<Real>(position.begin()[axis]));
              to.branch[axis].push_back(from.branch[axis][k]);
            }
            to.normal_force.push_back(from.normal_force[k]);
          }
        });
      },
      contacts.numbers);
  return moved;
}

/// Snapshots ordered by time; of two at the same time, the later file.
class Snapshots {
 public:
  explicit Snapshots(const StoredRun& run) {
    for (const fs::path& file : run.snapshots) {
      const double time = sim::read_snapshot_head(file).metadata.time;
      const auto at = std::lower_bound(all_.begin(), all_.end(), time,
                                       [](const Entry& entry, double t) { return entry.time < t; });
      if (at != all_.end() && at->time == time)
        at->file = file;
      else
        all_.insert(at, {time, file});
    }
    if (all_.empty()) throw no_snapshots(run);
  }

  std::size_t count() const { return all_.size(); }
  double first() const { return all_.front().time; }
  double last() const { return all_.back().time; }
  sim::LoadedSnapshot read(std::size_t index) const { return sim::load_snapshot(all_[index].file); }

  /// The interpolated state, valid until the next call. Ascending times read each snapshot once.
  const sim::State<engine::Host>& at(double time) {
    std::size_t next = 0;
    while (next + 1 < all_.size() && all_[next].time < time) ++next;
    if (!interpolator_ || next != next_) {
      const std::size_t before = next > 0 ? next - 1 : 0;
      interpolator_.reset();
      a_ = b_ && next_ == before ? std::move(b_) : std::optional(read(before));
      b_ = read(next);
      next_ = next;
      interpolator_.emplace(*a_, *b_);
    }
    return interpolator_->at(time);
  }

  /// Potentials of the bodies of the last at(), for the same time; empty if snapshots have none.
  std::vector<double> potentials(double time) const { return interpolator_->potentials(time); }

  /// Contacts of the snapshot nearest in time, at the grains of `shown` (the result of the last
  /// at()); nothing if that snapshot has none.
  std::optional<sim::ContactNetwork> contacts(double time,
                                              const sim::State<engine::Host>& shown) const {
    const sim::LoadedSnapshot& near =
        time - a_->metadata.time < b_->metadata.time - time ? *a_ : *b_;
    return near.contacts ? std::optional(contacts_at(*near.contacts, shown)) : std::nullopt;
  }

 private:
  struct Entry {
    double time;
    fs::path file;
  };
  engine::ReadSession reader_session_;
  std::vector<Entry> all_;
  std::size_t next_ = 0;
  std::optional<sim::LoadedSnapshot> a_, b_;
  std::optional<sim::SnapshotInterpolator> interpolator_;
};

class RunRenderer {
 public:
  explicit RunRenderer(const RenderRequest& request)
      : request_(request),
        run_(stored_run(request.run)),
        snapshots_(run_),
        metadata_(sim::read_snapshot_head(run_.snapshots.front()).metadata),
        scene_(with_view_of(request, stored_scene(run_, metadata_, request.view), run_,
                            metadata_.columns)),
        aspect_(static_cast<double>(request.width) / request.height),
        is_picture_(request.at || request.file.extension() == ".png"),
        file_(request.file.empty() ? request.run / (is_picture_ ? "render.png" : "render.mp4")
                                   : request.file),
        presenter_(scene_),
        solids_(run_, scene_) {
    if (scene_.view.bodies != "stars") presenter_.connect(connected_model(run_));
    presenter_.label(labels_of(run_));
  }

  void draw() {
    check();
    const double time = is_picture_ ? picture_time() : snapshots_.first();
    for (const std::size_t index : {std::size_t{0}, snapshots_.count() - 1}) {
      const sim::LoadedSnapshot end = snapshots_.read(index);
      presenter_.show_range_of(end.state, end.metadata.time, end.potential);
    }
    fix_view();
    if (is_picture_)
      render::write_png(file_, picture(time));
    else
      movie();
    if (!request_.quiet) engine::print("{}\n", file_.string());
  }

 private:
  void check() const {
    const fs::path folder = file_.parent_path();
    if (!folder.empty() && !is_folder(folder))
      throw engine::InputError("-o " + file_.string(), "there is no folder " + folder.string(),
                               "create it first");
    if (!request_.force && fs::exists(file_))
      throw engine::InputError(file_.string(), "already exists",
                               "overwrite with --force, or choose -o");
    if (!is_picture_ && snapshots_.count() < 2)
      throw engine::InputError(request_.run.string(),
                               "has only one snapshot, but a movie needs two",
                               "run it with --snapshot-time, or draw a picture: -o picture.png");
  }

  double picture_time() const {
    const double time = time_in(request_.at, "--at", metadata_.units).value_or(snapshots_.last());
    if (time < snapshots_.first() || time > snapshots_.last())
      throw engine::InputError("--at " + request_.at.value_or(""),
                               "is outside the time range of the snapshots",
                               fmt::format("choose a time from {:.6g} to {:.6g}",
                                           snapshots_.first(), snapshots_.last()));
    return time;
  }

  /// The first snapshot fixes the default camera and the exposure.
  void fix_view() {
    const double start = snapshots_.first();
    const sim::State<engine::Host>& state = snapshots_.at(start);
    const render::Frame& first =
        presenter_.present(state, start, {}, snapshots_.potentials(start), solids_.at(start));
    const render::OrbitCamera base = api::camera_for(scene_.camera, first, aspect_);
    path_ = request_.camera.empty() ? render::CameraPath(base, {})
                                    : read_camera_path(request_.camera, base, metadata_.units,
                                                       snapshots_.first(), snapshots_.last());
    context_.emplace();
    maker_.emplace(*context_, api::picture_options(scene_, request_.width, request_.height));
    if (is_picture_) return;
    maker_->hold_exposure();
  }

  render::Image picture(double time) {
    const sim::State<engine::Host>& state = snapshots_.at(time);
    const auto contacts = scene_.view.contacts ? snapshots_.contacts(time, state) : std::nullopt;
    return maker_->draw(
        presenter_.present(state, time, contacts, snapshots_.potentials(time), solids_.at(time)),
        path_->at(time));
  }

  void movie() {
    const InterruptGuard interrupts;
    render::Movie movie(file_, request_.rate);
    Progress progress(progress_style(request_.quiet, false),
                      static_cast<std::uint64_t>(request_.frames), metadata_.units, "frame");
    for (int frame = 0; frame < request_.frames; ++frame) {
      if (InterruptGuard::requested()) {
        progress.finish();
        throw engine::SystemError("draw " + file_.string(), "interrupted", "nothing was written");
      }
      const double fraction =
          request_.frames > 1 ? static_cast<double>(frame) / (request_.frames - 1) : 0;
      const double time =
          frame + 1 == request_.frames
              ? snapshots_.last()
              : snapshots_.first() + fraction * (snapshots_.last() - snapshots_.first());
      movie.add(picture(time));
      progress.update(static_cast<std::uint64_t>(frame) + 1, time, 0);
    }
    progress.finish();
    file_ = movie.finish();
  }

  const RenderRequest& request_;
  StoredRun run_;
  Snapshots snapshots_;
  sim::SnapshotMetadata metadata_;
  sim::SceneDescription scene_;
  double aspect_;
  bool is_picture_;
  fs::path file_;
  api::Presenter presenter_;
  SolidHistory solids_;
  std::optional<render::CameraPath> path_;
  std::optional<render::EglContext> context_;
  std::optional<render::PictureMaker> maker_;
};

}  // namespace

void render_run(const RenderRequest& request) {
  if (!is_folder(request.run))
    throw engine::InputError(request.run.string(), "is not a folder",
                             "name a folder written by `mote run`");
  RunRenderer(request).draw();
}

}  // namespace mote::app

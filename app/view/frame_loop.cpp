#include "app/view/frame_loop.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "app/run/interrupt.h"
#include "app/view/framing.h"
#include "app/view/hands.h"
#include "app/view/open_surface.h"
#include "app/view/panels.h"
#include "app/view/settings.h"
#include "app/view/view_settings.h"
#include "engine/check.h"
#include "render/color_map.h"
#include "render/ui/toolkit.h"

namespace mote::app {
namespace {

double seconds_between(std::chrono::steady_clock::time_point a,
                       std::chrono::steady_clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

/// While it lives, the GPU of the steps draws. Frames of a script with a rate wait for their steps
/// anyway.
class DrawingTurn {
 public:
  DrawingTurn(WindowState& model, const render::Surface& surface)
      : session_(takes_turns(model.session.get()) ? model.session.get() : nullptr),
        surface_(surface) {
    if (session_) model.times.wait = 0.9 * model.times.wait + 0.1 * 1e3 * session_->begin_drawing();
  }
  ~DrawingTurn() {
    if (!session_) return;
    surface_.finish();
    session_->end_drawing();
  }
  DrawingTurn(const DrawingTurn&) = delete;
  DrawingTurn& operator=(const DrawingTurn&) = delete;

 private:
  static bool takes_turns(const Session* session) {
    return session && session->plan().backend == engine::Backend::cuda &&
           !session->paced_by_script() && !session->watches_a_run();
  }

  Session* session_;
  const render::Surface& surface_;
};

render::SplatPath splat_path(const std::string& word) {
  return word == "raster"    ? render::SplatPath::raster
         : word == "compute" ? render::SplatPath::compute
                             : render::SplatPath::automatic;
}

/// Longest wait for input when nothing changes [s].
constexpr double idle_timeout = 0.05;
/// The timeout after `rest_after` [s] in which nothing has changed, without any input: what threads
/// and files bring, such as a changed scene, may be shown this late. By then the exposure has
/// settled.
constexpr double rest_timeout = 0.5, rest_after = 2;
/// Wait for input while the running simulation has sent no new frame [s]: drawing the same again
/// would take CPU cores or GPU time from it. Doubles with each such frame, up to idle_timeout.
constexpr double frame_timeout = 0.012;
/// After this long, closing a window logs what it waits for.
constexpr std::chrono::seconds close_timeout(2);
/// Duration of a frame of a script, for everything that moves [s].
constexpr double script_frame = 1.0 / 60;
/// Colour-range queries cost a few passes over all bodies.
constexpr std::uint64_t frames_between_ranges = 30;
/// Limits the motion of the camera after a slow frame [s].
constexpr double longest_frame = 0.25;

}  // namespace

FrameLoop::FrameLoop(const ViewOptions& options, WatchedRun* watched) : watched_(watched) {
  model_.options = options;
  if (!options.drive.empty()) drive_.emplace(options.drive);
  script_ = drive_ || options.frames;
  if (options.open.scene.empty()) model_.options.open.scene = "galaxies";
  model_.settings = options.open.settings;
  if (!watched) {
    reserve_core(model_.options.open.options);
    model_.opener.start(model_.options.open);
  }
  surface_ = open_surface(options);
  const std::unique_lock<std::mutex> turn_of_toolkit = toolkit_turn();
  layer_ = std::make_unique<render::ui::Layer>(*surface_);
  model_.panels.standard = standard_places();
  model_.panels.reset();
  file_.emplace(options.layout                 ? *options.layout
                : script_ || options.offscreen ? std::filesystem::path()
                                               : usual_window_file(),
                model_.panels);
  layer_->begin({}, script_frame);  // determines the font size, and so the area without panels
  layer_->end();
  view_ = std::make_unique<render::SceneView>();
  model_.gl = surface_->info();
  model_.style.splat = splat_path(options.splat);
  model_.scenes = scenes_to_browse({});
  last_frame_ = last_watch_ = Clock::now();
}

FrameLoop::~FrameLoop() {
  end_session();
  // The window closes at once, however long the last step takes.
  view_.reset();
  {
    const std::unique_lock<std::mutex> turn_of_toolkit = toolkit_turn();
    layer_.reset();
  }
  surface_.reset();
  for (std::future<void>& session : ending_) {
    if (session.wait_for(close_timeout) == std::future_status::ready) continue;
    engine::log().warn("waiting for the current step to finish; Ctrl+C ends at once");
    session.wait();
  }
}

void FrameLoop::run() {
  std::optional<InterruptGuard> guard;
  if (!watched_) guard.emplace();
  while (!is_over()) {
    try {
      frame();
    } catch (const std::exception& e) {
      surface_->set_state("failed", e.what());
      throw;
    }
    ++model_.frame;
    if (model_.options.frames && static_cast<std::int64_t>(model_.frame) >= *model_.options.frames)
      break;
    if (drive_ && drive_->done() && !model_.options.frames) break;
  }
  if (watched_) {
    frame();  // shows how the run has ended
    if (const std::string why = watched_->failure(); !why.empty())
      surface_->set_state("failed", why);
  }
  screenshots_.finish(model_);
  file_->finish(model_.panels);
}

bool FrameLoop::is_over() const {
  return watched_ ? watched_->is_over() : model_.requests.quit || InterruptGuard::requested();
}

double FrameLoop::elapsed() {
  const auto now = Clock::now();
  const double seconds = seconds_between(last_frame_, now);
  last_frame_ = now;
  measure_frame_time(seconds);
  return script_ ? script_frame : std::min(seconds, longest_frame);
}

void FrameLoop::measure_frame_time(double seconds) {
  if (resting_) return;
  const double kept = std::exp(-seconds / 0.5);
  model_.times.frame = kept * model_.times.frame + (1 - kept) * 1e3 * seconds;
  model_.frames_per_second = model_.times.frame > 0 ? 1e3 / model_.times.frame : 0;
}

bool FrameLoop::still() const {
  return model_.status.mode == Mode::paused || model_.status.mode == Mode::unhealthy;
}

/// How long the next frame may wait for input.
double FrameLoop::idle_seconds() {
  // Frames that only wait leave the processor to what they wait for.
  if (script_) return drive_ && drive_->waiting() && !seen() ? 1e-3 : 0;
  if (surface_->width() <= 0 || surface_->height() <= 0) return idle_timeout;
  if (!looked_at()) return rest_timeout;
  if (model_.moving || layer_->pending() || changed_) {
    frame_timeout_ = frame_timeout;
    last_change_ = now_;
    return 0;
  }
  if (feed_ && feed_->pending()) return 1e-3;
  if (still() && !model_.opener.busy() && model_.toast_seconds <= 0) {
    const bool rests = now_ - last_change_ > rest_after && !layer_->wants_keyboard();  // it blinks
    return rests ? rest_timeout : idle_timeout;
  }
  return std::min(std::exchange(frame_timeout_, 2 * frame_timeout_), idle_timeout);
}

void FrameLoop::frame() {
  const double wait = idle_seconds();
  if (watched_) std::this_thread::sleep_until(next_picture_);  // input waits, too
  std::vector<render::InputEvent> events = surface_->poll(wait);
  changed_ = !events.empty();
  resting_ = wait > 0 && still();  // the frame that ends a rest has waited, too
  seconds_ = elapsed();
  now_ += seconds_;
  if (drive_ && !drive_->done()) drive_->next(model_, events);
  receive_scene();
  watch_file();
  std::unique_lock<std::mutex> turn_of_toolkit = toolkit_turn();
  layer_->set_on_white(model_.view.background == "light");
  layer_->begin(events, seconds_);
  for (const render::InputEvent& event : layer_->scene_events()) handle(event);
  advance_script_clock();
  {
    const DrawingTurn turn(model_, *surface_);
    update_from_session();
    report_state();
    offer_points();
    update_hand(model_, surface_->width(), surface_->height());
    move_camera(seconds_);
    model_.toast_seconds = std::max(0.0, model_.toast_seconds - fading_seconds());
    draw_and_rest();
    draw_panels();
    write_images();
    if (seen()) layer_->draw_notices();
  }
  apply_requests();
  if (turn_of_toolkit) turn_of_toolkit.unlock();
  for (const std::filesystem::path& file : std::exchange(model_.written, {}))
    surface_->offer_file(file);
  surface_->show();
}

/// The thread of a watched run may draw captions meanwhile.
std::unique_lock<std::mutex> FrameLoop::toolkit_turn() const {
  return watched_ ? std::unique_lock(render::ui::toolkit_mutex()) : std::unique_lock<std::mutex>();
}

/// Pictures of a watched run take the GPU of its steps for a twentieth of the time at most.
void FrameLoop::draw_and_rest() {
  constexpr int shares = 20;
  constexpr std::chrono::milliseconds longest_rest(500);
  const bool shared = watched_ && seen() && model_.session &&
                      model_.session->plan().backend == engine::Backend::cuda;
  if (!shared) return draw_scene();
  surface_->finish();
  const auto start = Clock::now();
  draw_scene();
  surface_->finish();
  const auto end = Clock::now();
  next_picture_ = end + std::min<Clock::duration>(longest_rest, (shares - 1) * (end - start));
}

/// Time for fading messages and for exposure: 0 while a script waits, since the number of such
/// frames depends on the machine.
double FrameLoop::fading_seconds() const {
  return drive_ && drive_->waiting() ? 0 : seconds_;
}

void FrameLoop::receive_scene() {
  if (watched_)
    if (auto run = watched_->take()) {
      model_.view = run->session->scene().view;
      model_.settings = run->session->request().settings;
      model_.written.push_back(run->folder);
      show_session(std::move(run->session), false);
    }
  try {
    if (auto opened = model_.opener.poll()) {
      model_.error.clear();
      start_session(std::move(*opened));
    }
  } catch (const std::exception& e) {
    if (!model_.session && script_) throw;
    model_.error = e.what();
    engine::log().warn("{}", e.what());
  }
}

void FrameLoop::start_session(Opened opened) {
  const ViewOptions& o = model_.options;
  if (o.until || o.steps)
    opened.scene.stop = {time_in(o.until, "--until", opened.scene.units), o.steps};
  const bool same = model_.session && model_.session->request().scene == opened.request.scene;
  const bool ran = model_.session ? model_.status.mode == Mode::running : !model_.options.paused;
  bool framed = same && model_.framed;
  if (same) {
    const sim::SceneDescription& before = model_.session->scene();
    for (const std::string& message :
         hidden_changes(opened.request.settings, model_.session->opened().file_settings,
                        opened.file_settings)) {
      model_.notify(message);
      engine::log().warn("{}", message);
    }
    merge_view_changes(model_.view, before.view, opened.scene.view);
    framed = framed && same_camera(before.camera, opened.scene.camera);
  } else {
    model_.view = opened.scene.view;
  }
  end_session();
  Session::Options options;
  options.history = model_.options.history;
  options.record = record_request();
  if (options.record) surface_->offer_file(options.record->out);
  options.scripted = script_;
  model_.settings = opened.request.settings;
  model_.restart_changes = false;
  model_.tuned.clear();
  model_.hand.drag = HandTool::Drag::none;
  model_.hand.placed.reset();
  messages_ = range_version_ = 0;
  for (const std::string& reason : opened.plan.reasons) engine::log().info("{}", reason);
  show_session(std::make_shared<Session>(std::move(opened), options), same);
  model_.framed = framed;
  if (ran) model_.session->run(true);
}

void FrameLoop::show_session(std::shared_ptr<Session> session, bool same) {
  feed_.emplace(*session, model_.options.share);
  model_.session = std::move(session);
  const sim::SceneDescription& scene = model_.session->scene();
  model_.obstacles = api::DrawnObstacles(scene);
  if (!same || model_.looks.size() != scene.species.size() + 1)
    model_.looks = api::looks_of(scene.species);
  model_.choose_scalars();
  model_.framed = model_.framing_requested = false;
  model_.follow(std::nullopt, false);
  trails_.clear();
  view_->clear_trails();
  view_->reset_exposure();
  model_.session->request_extent(model_.scalar);
  model_.scenes = scenes_to_browse(scene.file);
  surface_->set_title("mote - " +
                      (scene.head.title.empty() ? scene.file.stem().string() : scene.head.title));
}

void FrameLoop::end_session() {
  if (!model_.session) return;
  feed_->stop(*model_.session);
  feed_.reset();
  // A long step must not block the window; a recorded run is completed before the next one begins.
  ending_.push_back(
      std::async(std::launch::async, [old = std::move(model_.session)]() mutable { old.reset(); }));
  model_.status = {};
  model_.series = sim::MeasurementSeries();
  model_.shown = {};
  model_.histogram = {};
}

/// Waits until earlier recorded runs are complete. Each gets its own folder.
std::optional<RecordRequest> FrameLoop::record_request() {
  erase_ended();
  if (!model_.options.record) return std::nullopt;
  for (std::future<void>& session : ending_) session.wait();
  RecordRequest request{*model_.options.record, model_.options.force, model_.options.command_line};
  if (records_begun_++ > 0) {
    const std::string stem = request.out.string();
    for (int i = 2; std::filesystem::exists(request.out); ++i)
      request.out = stem + "-" + std::to_string(i);
    request.force = false;
  }
  return request;
}

void FrameLoop::erase_ended() {
  std::erase_if(ending_, [](std::future<void>& f) {
    return f.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
}

void FrameLoop::watch_file() {
  const auto now = Clock::now();
  if (seconds_between(last_watch_, now) < 0.25) return;
  last_watch_ = now;
  erase_ended();
  if (!model_.opener.is_outdated()) return;
  model_.notify("the scene file has changed: reading it again");
  model_.reload();
}

/// A frame of a script stands for a fixed time: runs its commands and the steps due in it.
void FrameLoop::advance_script_clock() {
  if (!model_.session) return;
  model_.session->advance_clock(script_frame);
  model_.session->wait(InterruptGuard::requested);
}

/// A frame of a script shows the bodies after these steps.
void FrameLoop::offer_points() {
  if (!model_.session) return;
  bool complete = feed_->offer(model_);
  if (!script_ || !model_.session->paced_by_script()) return;
  do {
    while (!complete && !InterruptGuard::requested()) {
      // OpenGL still reads the buffers.
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      complete = feed_->offer(model_);
    }
    model_.session->wait(InterruptGuard::requested);
    receive_frame(true);
    complete = false;
  } while (feed_->resized() && !InterruptGuard::requested());
}

void FrameLoop::update_from_session() {
  if (!model_.session) return;
  model_.status = model_.session->status();
  if (!feed_->error().empty()) model_.status.halt = feed_->error();
  model_.session->update(model_.series);
  model_.histogram = model_.session->histogram();
  show_messages();
  // The order matters: the extent was requested before the first frame, so the camera is set before
  // anything is shown.
  receive_frame();
  apply_extent();
  widen_range();
  request_histogram();
  model_.session->set_looked_at(looked_at());
  model_.session->publish_bodies(model_.view.orbits || model_.names);
  model_.session->sample_force_errors(model_.panels.all && model_.panels.shown("statistics"));
  model_.session->set_trail_length(model_.trail_length());
}

void FrameLoop::report_state() {
  if (!model_.session)
    surface_->set_state(model_.error.empty() ? "opening" : "failed", model_.error);
  else
    surface_->set_state(model_.mode_name(),
                        model_.error.empty() ? model_.status.halt : model_.error);
}

void FrameLoop::show_messages() {
  if (model_.status.messages == messages_) return;
  messages_ = model_.status.messages;
  model_.notify(model_.status.message);
}

void FrameLoop::apply_extent() {
  const auto answer = model_.session->pop_extent();
  if (!answer) return;
  model_.extent = answer->first;
  if (model_.automatic_range) model_.range = answer->second;
  const int width = std::max(surface_->width(), 1), height = std::max(surface_->height(), 1);
  if (!model_.framed) {
    const render::OrbitCamera camera = first_camera(model_, width, height);
    model_.camera.set(camera);
    feed_->set_origin({camera.target.x, camera.target.y, camera.target.z});
    model_.framed = true;
  } else if (model_.framing_requested) {
    frame_all(model_, width, height);
  }
  model_.framing_requested = false;
}

/// Widens the colour range as values grow: every few frames while the state changes, and when it
/// stops changing. A constant range is replaced as soon as possible. An answer is used in a later
/// frame even if it comes at once, so that scripts draw the same frames on every machine.
void FrameLoop::widen_range() {
  const auto answer = model_.session->pop_range();
  if (!model_.automatic_range) return;
  if (answer) model_.range = model_.range.widened(*answer);
  const bool moves = model_.status.mode == Mode::running || model_.status.mode == Mode::seeking;
  if (moves && !model_.range.constant && model_.frame % frames_between_ranges != 0) return;
  if (std::exchange(range_version_, model_.status.version) != model_.status.version)
    model_.session->request_range(model_.scalar);
}

void FrameLoop::receive_frame(bool wait) {
  const auto start = Clock::now();
  const engine::Vec3d origin = model_.shown.origin;
  const auto followed = model_.shown.follow;
  const sim::BodyIds ids = model_.shown.ids;
  if (!feed_->receive(model_, wait)) return;
  changed_ = true;
  // Trails are offsets from the origin: those relative to a followed body are void for another one.
  const bool rebased = followed != model_.shown.follow;
  const bool moved =
      rebased || (length(model_.shown.origin - origin) > 0 && !FrameFeed::origin_follows(model_));
  show_trails(moved, ids != model_.shown.ids);
  model_.times.share = 1e3 * seconds_between(start, Clock::now());
}

void FrameLoop::show_trails(bool moved, bool others) {
  const int length = model_.trail_length();
  const PackedFrame& shown = model_.shown;
  if (shown.count <= max_sampled_bodies) {
    if (length == 0) trails_.clear();
    const TrailFrame of{shown.step, shown.count, shown.ids, shown.origin, shown.follow};
    trails_.show(*view_, length, std::exchange(model_.shown.trail, {}), of, moved || length == 0);
    return;
  }
  moved = moved || others;
  if (moved || model_.shown.step < trail_step_) view_->clear_trails();
  if (length > 0 && (model_.shown.step != trail_step_ || moved))
    view_->add_to_trails(points(), length);
  trail_step_ = model_.shown.step;
}

void FrameLoop::request_histogram() {
  if (!model_.panels.all || !model_.panels.histogram ||
      histogram_version_ == model_.status.version || now_ - last_histogram_ < 0.25)
    return;
  last_histogram_ = now_;
  histogram_version_ = model_.status.version;
  model_.session->request_histogram(model_.histogram_request);
}

void FrameLoop::move_camera(double seconds) {
  if (model_.following && FrameFeed::origin_follows(model_))
    model_.camera.follow({model_.shown.origin.x, model_.shown.origin.y, model_.shown.origin.z});
  if (surface_->width() > 0 && surface_->height() > 0 &&
      refit(model_, surface_->width(), surface_->height()))
    view_->reset_exposure();
  model_.moving = model_.camera.update(seconds);
}

render::PointBuffers FrameLoop::points() const {
  return feed_ ? feed_->points(model_) : render::PointBuffers{};
}

bool FrameLoop::looked_at() const {
  const WindowState::Requests& asked = model_.requests;
  return surface_->watched() || model_.movie || asked.screenshot || asked.record_toggle;
}

bool FrameLoop::seen() const {
  if (!looked_at()) return false;
  if (!model_.options.offscreen || !drive_ || drive_->done() || drive_->reports()) return true;
  const WindowState::Requests& asked = model_.requests;
  return !drive_->idle() || model_.movie || asked.screenshot || asked.record_toggle;
}

void FrameLoop::draw_scene() {
  const int width = surface_->width(), height = surface_->height();
  if (width <= 0 || height <= 0) return;
  const auto start = Clock::now();
  const render::Viewpoint from = viewpoint_in(model_, width, height);
  const render::ViewStyle style = style_of(model_, fading_seconds());
  if (seen())
    view_->draw(points(), from, style, extras_of(model_), surface_->framebuffer(), width, height);
  else
    view_->follow(points(), from, style, extras_of(model_), width, height);
  model_.sphere_radius = view_->sphere_radius();
  if (feed_) feed_->on_drawn(model_);
  model_.splat = view_->splat_report();
  screenshots_.screenshot(model_, *surface_, true);
  smooth(model_.times.draw, start);
}

void FrameLoop::draw_panels() {
  const auto start = Clock::now();
  panels(model_, surface_->width(), surface_->height());
  layer_->end();
  file_->update(model_.panels);
  if (surface_->width() > 0 && surface_->height() > 0 && seen()) layer_->draw();
  smooth(model_.times.panels, start);
}

void FrameLoop::smooth(double& time, Clock::time_point start) const {
  if (!resting_) time = 0.9 * time + 0.1 * 1e3 * seconds_between(start, Clock::now());
}

void FrameLoop::write_images() {
  screenshots_.screenshot(model_, *surface_, false);
  screenshots_.movie(model_, *surface_, script_);
}

void FrameLoop::apply_requests() {
  if (model_.requests.vsync_toggle) surface_->set_vsync(!surface_->vsync());
  if (model_.requests.full_screen_toggle) surface_->set_full_screen(!surface_->full_screen());
  if (model_.requests.size)
    surface_->resize(model_.requests.size->first, model_.requests.size->second);
  if (model_.requests.focus != 0) layer_->focus_panel(model_.requests.focus);
  const bool quit = model_.requests.quit && !watched_;
  if (watched_ && model_.requests.quit)
    model_.notify("this run is watched: it ends by itself, or with Ctrl+C where it was started");
  model_.requests = {};
  model_.requests.quit = quit;
}

}  // namespace mote::app

#include "app/view/frame_loop.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "app/interrupt.h"
#include "app/view/framing.h"
#include "app/view/look.h"
#include "app/view/panels.h"
#include "app/view/settings.h"
#include "engine/check.h"
#include "render/color_map.h"

namespace mote::app {
namespace {

double seconds_between(std::chrono::steady_clock::time_point a,
                       std::chrono::steady_clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

render::SplatPath splat_path(const std::string& word) {
  return word == "raster"    ? render::SplatPath::raster
         : word == "compute" ? render::SplatPath::compute
                             : render::SplatPath::automatic;
}

std::optional<int> cuda_device(const ViewOptions& options) {
  if (options.open.options.backend == engine::Backend::cpu) return std::nullopt;
  return options.open.options.device.value_or(0);
}

/// Nothing moves and nobody does anything: so long a frame may wait for input, seconds.
constexpr double doze = 0.05;
/// The simulation has not sent anything new: drawing the same again would only take its cores away,
/// or its time on a GPU that steps too. So long the first such frame may wait; the following ones
/// twice as long each, up to a doze.
constexpr double nap = 0.012;
/// Who closes a window wants to know why the program does not end, after some seconds.
constexpr std::chrono::seconds patience(2);
/// Frames of scripts are so long for everything that moves, whatever the clock says.
constexpr double script_frame = 1.0 / 60;
/// A question costs a few passes over the bodies.
constexpr std::uint64_t pictures_between_ranges = 30;
/// What moves by itself does not jump after a frame that took long.
constexpr double longest_frame = 0.25;

}  // namespace

FrameLoop::FrameLoop(const ViewOptions& options) {
  model_.options = options;
  if (!options.drive.empty()) drive_.emplace(options.drive);
  script_ = drive_ || options.frames;
  if (options.open.scene.empty()) model_.options.open.scene = "galaxies";
  model_.settings = options.open.settings;
  leave_a_core(model_.options.open.options);
  model_.opener.start(model_.options.open);
  render::SurfaceOptions wanted;
  wanted.width = options.width;
  wanted.height = options.height;
  wanted.cuda_device = cuda_device(options);
  if (options.ui_scale > 0) wanted.scale = options.ui_scale;
  surface_ = options.offscreen ? render::open_offscreen(wanted) : render::open_window(wanted);
  layer_ = std::make_unique<render::ui::Layer>(*surface_);
  layer_->begin({}, script_frame);  // from now on the size of letters is known, and with it what
                                    // panels leave free
  layer_->end();
  view_ = std::make_unique<render::SceneView>();
  model_.gl = surface_->info();
  model_.style.splat = splat_path(options.splat);
  model_.scenes = scenes_to_browse({});
  last_frame_ = last_watch_ = Clock::now();
}

FrameLoop::~FrameLoop() {
  end_session();
  // The window goes at once, whatever the last step takes.
  view_.reset();
  layer_.reset();
  surface_.reset();
  for (std::future<void>& session : ending_) {
    if (session.wait_for(patience) == std::future_status::ready) continue;
    engine::log().warn("waiting for the step that is being taken; Ctrl+C ends at once");
    session.wait();
  }
}

void FrameLoop::run() {
  const InterruptGuard guard;
  while (!model_.wanted.quit && !InterruptGuard::asked()) {
    frame();
    ++model_.frame;
    if (model_.options.frames && static_cast<std::int64_t>(model_.frame) >= *model_.options.frames)
      break;
    if (drive_ && drive_->done() && !model_.options.frames) break;
  }
  roll_.finish(model_);
}

double FrameLoop::elapsed() {
  const auto now = Clock::now();
  const double seconds = seconds_between(last_frame_, now);
  last_frame_ = now;
  meter(seconds);
  return script_ ? script_frame : std::min(seconds, longest_frame);
}

void FrameLoop::meter(double seconds) {
  const double kept = std::exp(-seconds / 0.5);
  model_.times.whole = kept * model_.times.whole + (1 - kept) * 1e3 * seconds;
  model_.frames_per_second = model_.times.whole > 0 ? 1e3 / model_.times.whole : 0;
}

/// How long the next frame may wait for input.
double FrameLoop::idle_seconds() {
  if (script_) return 0;
  if (surface_->width() <= 0 || surface_->height() <= 0) return doze;
  if (model_.moving || layer_->pending() || fresh_) {
    nap_ = nap;
    return 0;
  }
  const bool still = model_.status.mode == Mode::paused || model_.status.mode == Mode::unhealthy;
  if (still && !model_.opener.busy() && model_.toast_seconds <= 0) return doze;
  return std::min(std::exchange(nap_, 2 * nap_), doze);
}

void FrameLoop::frame() {
  std::vector<render::InputEvent> events = surface_->poll(idle_seconds());
  fresh_ = !events.empty();
  seconds_ = elapsed();
  now_ += seconds_;
  if (drive_ && !drive_->done()) drive_->next(model_, events);
  take_opened();
  watch_file();
  layer_->begin(events, seconds_);
  for (const render::InputEvent& event : layer_->for_scene()) handle(event);
  pass_time();
  look_at_session();
  offer_points();
  move_camera(seconds_);
  model_.toast_seconds = std::max(0.0, model_.toast_seconds - fading_seconds());
  draw_scene();
  draw_panels();
  take_pictures();
  layer_->draw_notices();
  do_wanted();
  surface_->show();
}

/// What passes for messages that fade and for the exposure. None in frames of a script that only
/// wait for the machine: what comes after them would depend on how many there were.
double FrameLoop::fading_seconds() const {
  return drive_ && drive_->waiting() ? 0 : seconds_;
}

void FrameLoop::take_opened() {
  try {
    if (auto opened = model_.opener.take()) {
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
    for (const std::string& words : hidden_changes(
             opened.request.settings, model_.session->opened().in_file, opened.in_file)) {
      model_.say(words);
      engine::log().warn("{}", words);
    }
    take_look(model_.view, before.view, opened.scene.view);
    framed = framed && same_camera(before.camera, opened.scene.camera);
  } else {
    model_.view = opened.scene.view;
  }
  end_session();
  Session::Options options;
  options.history = model_.options.history;
  options.record = record_request();
  options.scripted = script_;
  model_.settings = opened.request.settings;
  model_.restart_changes = false;
  model_.tuned.clear();
  messages_ = range_version_ = 0;
  auto session = std::make_unique<Session>(std::move(opened), options);
  feed_.emplace(*session, model_.options.share);
  model_.session = std::move(session);
  const sim::SceneDescription& scene = model_.session->scene();
  model_.obstacles = api::ObstacleLines(scene);
  const sim::Plan& plan = model_.session->plan();
  for (const std::string& reason : plan.reasons) engine::log().info("{}", reason);
  model_.choose_scalars();
  model_.framed = framed;
  model_.frame_asked = false;
  model_.follow(std::nullopt, false);
  trails_.clear();
  view_->clear_trails();
  view_->forget_exposure();
  model_.session->ask_extent(model_.scalar);
  model_.scenes = scenes_to_browse(scene.file);
  surface_->set_title("mote - " +
                      (scene.head.title.empty() ? scene.file.stem().string() : scene.head.title));
  if (ran) model_.session->run(true);
}

void FrameLoop::end_session() {
  if (!model_.session) return;
  feed_->stop(*model_.session);
  feed_.reset();
  // A long step must not hold up the window; a record is made whole before another one may begin.
  ending_.push_back(
      std::async(std::launch::async, [old = std::move(model_.session)]() mutable { old.reset(); }));
  model_.status = {};
  model_.rows = sim::Rows();
  model_.shown = {};
  model_.histogram = {};
}

/// A record is made whole before another one begins, which never takes the folder of an earlier
/// one.
std::optional<RecordRequest> FrameLoop::record_request() {
  forget_ended();
  if (!model_.options.record) return std::nullopt;
  for (std::future<void>& session : ending_) session.wait();
  RecordRequest request{*model_.options.record, model_.options.force, model_.options.command_line};
  if (records_++ > 0) {
    const std::string stem = request.out.string();
    for (int i = 2; std::filesystem::exists(request.out); ++i)
      request.out = stem + "-" + std::to_string(i);
    request.force = false;
  }
  return request;
}

void FrameLoop::forget_ended() {
  std::erase_if(ending_, [](std::future<void>& f) {
    return f.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
}

void FrameLoop::watch_file() {
  const auto now = Clock::now();
  if (seconds_between(last_watch_, now) < 0.25) return;
  last_watch_ = now;
  forget_ended();
  if (!model_.opener.is_outdated()) return;
  model_.say("the scene's file has changed: reading it again");
  model_.reload();
}

/// A picture of a script stands for the same time whatever the machine takes for it: what it asked
/// for is done, and the steps that fall into it are taken.
void FrameLoop::pass_time() {
  if (!model_.session) return;
  model_.session->pass(script_frame);
  model_.session->wait(InterruptGuard::asked);
}

/// In such a picture the bodies stand where they are after these steps.
void FrameLoop::offer_points() {
  if (!model_.session) return;
  bool complete = feed_->offer(model_);
  if (!script_ || !model_.session->counted()) return;
  do {
    while (!complete && !InterruptGuard::asked()) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));  // drawing still reads the
                                                                    // places
      complete = feed_->offer(model_);
    }
    model_.session->wait(InterruptGuard::asked);
    take_frame();
    complete = false;
  } while (feed_->grew() && !InterruptGuard::asked());
}

void FrameLoop::look_at_session() {
  if (!model_.session) return;
  model_.status = model_.session->status();
  if (!feed_->trouble().empty()) model_.status.halt = feed_->trouble();
  model_.session->update(model_.rows);
  model_.histogram = model_.session->histogram();
  say_messages();
  // In this order: the extent that was asked for first is there when a frame is, so that none is
  // shown before its camera.
  take_frame();
  take_extent();
  widen_range();
  ask_histogram();
  model_.session->tell_bodies(model_.view.orbits || model_.names);
  model_.session->keep_trail(model_.trail_length());
}

void FrameLoop::say_messages() {
  if (model_.status.messages == messages_) return;
  messages_ = model_.status.messages;
  model_.say(model_.status.message);
}

void FrameLoop::take_extent() {
  const auto answer = model_.session->take_extent();
  if (!answer) return;
  model_.extent = answer->first;
  if (model_.automatic_range) model_.range = answer->second;
  const int width = std::max(surface_->width(), 1), height = std::max(surface_->height(), 1);
  if (!model_.framed) {
    const render::OrbitCamera camera = first_camera(model_, width, height);
    model_.camera.set(camera);
    feed_->set_origin({camera.target.x, camera.target.y, camera.target.z});
    model_.framed = true;
  } else if (model_.frame_asked) {
    frame_all(model_, width, height);
  }
  model_.frame_asked = false;
}

/// Colours keep up with what becomes faster: while the state moves now and then, and where it has
/// arrived. A range of a scene at rest is none yet. The answer is taken in a later picture, also
/// where it comes at once: a script makes the same ones everywhere.
void FrameLoop::widen_range() {
  const auto answer = model_.session->take_range();
  if (!model_.automatic_range) return;
  if (answer) model_.range = model_.range.widened(*answer);
  const bool moves = model_.status.mode == Mode::running || model_.status.mode == Mode::seeking;
  if (moves && !model_.range.alike && model_.frame % pictures_between_ranges != 0) return;
  if (std::exchange(range_version_, model_.status.version) != model_.status.version)
    model_.session->ask_range(model_.scalar);
}

void FrameLoop::take_frame() {
  const auto start = Clock::now();
  const engine::Vec3d origin = model_.shown.origin;
  const auto followed = model_.shown.follow;
  const sim::BodyIds ids = model_.shown.ids;
  if (!feed_->take(model_)) return;
  fresh_ = true;
  // Trails are offsets from the origin: those about a body that is followed have nothing to do with
  // others.
  const bool rebased = followed != model_.shown.follow;
  const bool moved =
      rebased || (length(model_.shown.origin - origin) > 0 && !Feed::origin_follows(model_));
  show_trails(moved, ids != model_.shown.ids);
  model_.times.share = 1e3 * seconds_between(start, Clock::now());
}

void FrameLoop::show_trails(bool moved, bool others) {
  const int length = model_.trail_length();
  const PackedFrame& shown = model_.shown;
  if (shown.count <= most_sampled) {
    if (length == 0) trails_.clear();
    const TrailsOf of{shown.step, shown.count, shown.ids, shown.origin, shown.follow};
    trails_.show(*view_, length, std::exchange(model_.shown.trail, {}), of, moved || length == 0);
    return;
  }
  moved = moved || others;
  if (moved || model_.shown.step < trail_step_) view_->clear_trails();
  if (length > 0 && (model_.shown.step != trail_step_ || moved))
    view_->add_to_trails(points(), length);
  trail_step_ = model_.shown.step;
}

void FrameLoop::ask_histogram() {
  if (!model_.panels.all || !model_.panels.histogram ||
      histogram_version_ == model_.status.version || now_ - last_histogram_ < 0.25)
    return;
  last_histogram_ = now_;
  histogram_version_ = model_.status.version;
  model_.session->ask_histogram(model_.histogram_request);
}

void FrameLoop::move_camera(double seconds) {
  if (model_.following && Feed::origin_follows(model_))
    model_.camera.follow({model_.shown.origin.x, model_.shown.origin.y, model_.shown.origin.z});
  model_.farther = farther(model_, std::max(surface_->width(), 1), std::max(surface_->height(), 1));
  model_.moving = model_.camera.update(seconds);
}

render::PointBuffers FrameLoop::points() const {
  return feed_ ? feed_->points(model_) : render::PointBuffers{};
}

void FrameLoop::draw_scene() {
  const int width = surface_->width(), height = surface_->height();
  if (width <= 0 || height <= 0) return;
  const auto start = Clock::now();
  view_->draw(points(), viewpoint_in(model_, width, height), style_of(model_, fading_seconds()),
              extras_of(model_), surface_->framebuffer(), width, height);
  if (feed_) feed_->drawn(model_);
  model_.splat = view_->splat_report();
  roll_.screenshot(model_, *surface_, true);
  model_.times.draw = 0.9 * model_.times.draw + 0.1 * 1e3 * seconds_between(start, Clock::now());
}

void FrameLoop::draw_panels() {
  const auto start = Clock::now();
  panels(model_, surface_->width(), surface_->height());
  layer_->end();
  if (surface_->width() > 0 && surface_->height() > 0) layer_->draw();
  model_.times.panels =
      0.9 * model_.times.panels + 0.1 * 1e3 * seconds_between(start, Clock::now());
}

void FrameLoop::take_pictures() {
  roll_.screenshot(model_, *surface_, false);
  roll_.movie(model_, *surface_, script_);
}

void FrameLoop::do_wanted() {
  if (model_.wanted.vsync_toggle) surface_->set_vsync(!surface_->vsync());
  if (model_.wanted.full_screen_toggle) surface_->set_full_screen(!surface_->full_screen());
  if (model_.wanted.size) surface_->resize(model_.wanted.size->first, model_.wanted.size->second);
  const bool quit = model_.wanted.quit;
  model_.wanted = {};
  model_.wanted.quit = quit;
}

}  // namespace mote::app

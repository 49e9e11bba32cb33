#include "app/view/drive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <vector>

#include "app/scenes.h"
#include "app/view/actions.h"
#include "engine/check.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/scene/read_scene.h"
#include "sim/scene/tables.h"

namespace mote::app {
namespace {

using render::InputEvent;
using render::mouse_event;
using Line = ScriptLine;

InputEvent key_event(InputEvent::Kind kind, const std::string& text) {
  InputEvent event;
  event.kind = kind;
  render::parse_key(text, event.key, event.modifiers);
  // A modifier is held from its press to its release.
  const bool held = kind != InputEvent::Kind::key_up;
  if (event.key == render::Key::left_shift) event.modifiers.shift = held;
  if (event.key == render::Key::left_control) event.modifiers.control = held;
  if (event.key == render::Key::left_alt) event.modifiers.alt = held;
  return event;
}

std::string joined_from(const std::vector<std::string>& words, std::size_t first) {
  return engine::joined({words.begin() + static_cast<std::ptrdiff_t>(first), words.end()}, " ");
}

std::string share_name(render::SharePath path) {
  return path == render::SharePath::interop ? "interop"
         : path == render::SharePath::copy  ? "copy"
                                            : "mapped";
}

void print_report(const WindowState& model) {
  const SessionStatus& s = model.status;
  engine::print(
      "bodies {} step {} frames/s {:.1f} frame-ms {:.2f} wait-ms {:.2f} draw-ms {:.2f} panels-ms "
      "{:.2f} pack-ms "
      "{:.3f} "
      "steps/s {:.6g} interactions/s {:.4g} path {} host-bytes {}\n",
      model.session ? model.session->count() : 0, s.step, model.frames_per_second,
      model.times.frame, model.times.wait, model.times.draw, model.times.panels,
      s.pack_milliseconds, s.steps_per_second, s.interactions_per_second,
      share_name(model.share.path), model.share.host_bytes);
  std::fflush(stdout);
}

bool is_number(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  return end != word.c_str() && *end == 0 && std::isfinite(value);
}

/// A typed value as a boolean, integer, real or text.
bool is_text(const std::string& path) {
  const auto& params = sim::view_params();
  return std::any_of(params.begin(), params.end(), [&](const auto& entry) {
    return entry.path == path && entry.param.type == engine::ParamType::text;
  });
}

/// Three numbers, "0, 1, 0", "0 1 0" or "{ 0, 1, 0 }".
std::optional<engine::Vec3d> vector_in(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ',' || c == '{' || c == '}'; }, ' ');
  std::istringstream words(text);
  std::vector<double> numbers;
  for (std::string word; words >> word; numbers.push_back(number_of(word)))
    if (!is_number(word)) return std::nullopt;
  if (numbers.size() != 3) return std::nullopt;
  return engine::Vec3d{numbers[0], numbers[1], numbers[2]};
}

engine::ParamValue typed_value(const std::string& path, const std::string& text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return text.substr(1, text.size() - 2);
  if (is_text(path)) return text;
  if (const auto vector = vector_in(text)) return *vector;
  if (text == "true" || text == "false") return text == "true";
  if (!is_number(text)) return text;
  const bool whole = text.find_first_of(".eE") == std::string::npos;
  if (whole) return static_cast<std::int64_t>(std::strtoll(text.c_str(), nullptr, 10));
  return number_of(text);
}

}  // namespace

Drive::Drive(const std::filesystem::path& file) : file_(file.string()), lines_(read_script(file)) {}

std::string Drive::location(const Line& line) const {
  return file_ + ":" + std::to_string(line.number);
}

void Drive::fail(const Line& line, const std::string& what) const {
  throw engine::InputError(location(line), what);
}

bool Drive::reports() const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.words[0] == "report"; });
}

void Drive::next(WindowState& model, std::vector<InputEvent>& events) {
  waiting_ = idle_ = false;
  // Several commands may run in a frame; input and waiting end it.
  for (bool more = true; more && !done();) {
    const Line& line = lines_[line_index_];
    more = play(model, line, events);
    if (waited_ < 0) {  // the line is done
      waited_ = 0;
      ++line_index_;
    } else {
      more = false;
    }
  }
}

/// True if the next line may run in this frame; `waited_` is negative when this line is done.
bool Drive::play(WindowState& model, const Line& line, std::vector<InputEvent>& events) {
  const std::string& name = line.words[0];
  if (name == "frames" || name == "settle" || name == "reach" || name == "hash" ||
      name == "await" || name == "pause") {
    const bool over = name == "hash" ? check_hash(model, line) : wait(model, line);
    waiting_ = !over && name != "frames";
    idle_ = !over && waited_ > 0;
    waited_ = over ? -1 : waited_ + 1;
    return over;
  }
  if (name == "hold") {
    events.push_back(key_event(
        waited_ == 0 ? InputEvent::Kind::key_down : InputEvent::Kind::key_repeat, line.words[1]));
    if (static_cast<double>(++waited_) < number_of(line.words[2])) return false;
    events.push_back(key_event(InputEvent::Kind::key_up, line.words[1]));
    waited_ = -1;
    return false;
  }
  const bool was_input = input(line, events);
  if (!was_input && !command(model, line) && !change_view(model, line)) expect(model, line);
  waited_ = -1;
  return !was_input && name != "screenshot" && name != "size";
}

bool Drive::wait(WindowState& model, const Line& line) {
  const std::string& name = line.words[0];
  if (name == "frames") return static_cast<double>(waited_) >= number_of(line.words[1]);
  if (waited_ == 0) since_ = std::chrono::steady_clock::now();
  // A single frame may take long for its steps: require several before giving up.
  const bool too_long =
      waited_ > 3 && std::chrono::steady_clock::now() - since_ > std::chrono::minutes(2);
  if (name == "await") {
    if (actual(model, line) == expected(line)) return true;
    if (too_long) expect(model, line);
    return false;
  }
  if (name == "pause") {
    if (model.opener.busy() && !too_long) return false;  // the opened scene would start to run
    if (!model.session) fail(line, "no scene is open; settle waits for one");
    model.session->run(false);
    return true;
  }
  if (name == "reach") {
    if (model.status.mode == Mode::unhealthy)
      fail(line, "the simulation is unhealthy: " + model.status.halt);
    return model.session && static_cast<double>(model.status.step) >= number_of(line.words[1]);
  }
  if (model.status.mode == Mode::running && waited_ > 5)
    fail(line, "the simulation is running: pause it first");
  const bool settled = waited_ >= 2 && model.settled();
  if (!settled && too_long) fail(line, "the window has not settled within two minutes");
  return settled;
}

bool Drive::input(const Line& line, std::vector<InputEvent>& events) {
  using Kind = InputEvent::Kind;
  const auto& w = line.words;
  const auto n = [&](std::size_t i) { return number_of(w[i]); };
  const auto mouse = [&, button = button_named(w.back()).value_or(MouseButton{})](
                         Kind kind, double x, double y) {
    events.push_back(mouse_event(kind, x, y, button.number));
    events.back().modifiers = button.modifiers;
  };
  if (w[0] == "key") {
    events.push_back(key_event(Kind::key_down, w[1]));
    events.push_back(key_event(Kind::key_up, w[1]));
  } else if (w[0] == "move") {
    events.push_back(mouse_event(Kind::mouse_move, n(1), n(2)));
  } else if (w[0] == "press" || w[0] == "release") {
    mouse(Kind::mouse_move, n(1), n(2));
    mouse(w[0] == "press" ? Kind::mouse_down : Kind::mouse_up, n(1), n(2));
  } else if (w[0] == "click" || w[0] == "double") {
    mouse(Kind::mouse_move, n(1), n(2));
    for (int i = 0; i < (w[0] == "double" ? 2 : 1); ++i) {
      mouse(Kind::mouse_down, n(1), n(2));
      mouse(Kind::mouse_up, n(1), n(2));
    }
  } else if (w[0] == "drag") {
    constexpr int parts = 8;
    mouse(Kind::mouse_move, n(1), n(2));
    mouse(Kind::mouse_down, n(1), n(2));
    for (int i = 1; i <= parts; ++i)
      mouse(Kind::mouse_move, n(1) + i * (n(3) - n(1)) / parts, n(2) + i * (n(4) - n(2)) / parts);
    mouse(Kind::mouse_up, n(3), n(4));
  } else if (w[0] == "wheel") {
    events.push_back(mouse_event(Kind::mouse_move, n(1), n(2)));
    events.push_back(mouse_event(Kind::wheel, n(1), n(2)));
    events.back().amount = n(3);
  } else if (w[0] == "drop") {
    events.push_back(mouse_event(Kind::drop, 0, 0));
    events.back().path = w[1];
  } else if (w[0] == "type") {
    for (const char c : joined_from(w, 1)) {
      InputEvent event;
      event.kind = Kind::text;
      event.character = static_cast<unsigned char>(c);
      events.push_back(event);
    }
  } else {
    return false;
  }
  return true;
}

bool Drive::command(WindowState& model, const Line& line) {
  const auto& w = line.words;
  if (w[0] == "open") {
    model.open_scene(find_scene_or_checkpoint(w[1]));
    return true;
  }
  if (w[0] == "quit") {
    model.requests.quit = true;
    return true;
  }
  if (w[0] == "report") {
    print_report(model);
    return true;
  }
  const bool needs_session = w[0] == "run" || w[0] == "step" || w[0] == "seek" || w[0] == "rate" ||
                             w[0] == "reset" || w[0] == "set" || w[0] == "pick" ||
                             w[0] == "frame-all";
  if (!needs_session) return false;
  if (!model.session) fail(line, "no scene is open; settle waits for one");
  if (w[0] == "run") model.session->run(true);
  if (w[0] == "step") model.session->step(static_cast<std::int64_t>(number_of(w[1])));
  if (w[0] == "seek")
    model.session->seek(static_cast<std::uint64_t>(std::max(0.0, number_of(w[1]))));
  if (w[0] == "rate") model.session->set_rate(number_of(w[1]));
  if (w[0] == "reset") model.reset();
  if (w[0] == "pick") model.follow(static_cast<std::uint32_t>(number_of(w[1])), true);
  if (w[0] == "frame-all") act(model, render::Key('F'), {});
  if (w[0] == "set") {
    const std::string problem = model.set(w[1], typed_value(w[1], joined_from(w, 2)));
    if (!problem.empty()) fail(line, problem);
  }
  return true;
}

bool Drive::change_view(WindowState& model, const Line& line) {
  const auto& w = line.words;
  const bool on = w.back() == "on";
  if (w[0] == "adds") {
    int k = 0;
    while (addition_names[k].word != w[1]) ++k;
    model.hand.adds = static_cast<Addition>(k);
  } else if (w[0] == "color") {
    const std::string color = joined_from(w, 1);
    if (model.session) sim::check_scalar(model.session->scene(), color, location(line));
    model.set_color(sim::Quantity(color));
  } else if (w[0] == "size")
    model.requests.size = {static_cast<int>(number_of(w[1])), static_cast<int>(number_of(w[2]))};
  else if (w[0] == "panels")
    model.panels.all = on;
  else if (w[0] == "show") {
    if (w[1] == "help")
      model.panels.help = on;
    else
      model.panels.show(w[1], on);
  } else if (w[0] == "camera") {
    render::OrbitCamera camera = model.camera.camera();
    camera.distance = number_of(w[1]);
    camera.azimuth = number_of(w[2]);
    camera.elevation = number_of(w[3]);
    model.camera.set(camera);
  } else if (w[0] == "screenshot") {
    model.requests.screenshot = w[1];
    model.requests.screenshot_scene_only = w.size() > 2 && w[2] == "scene";
  } else if (w[0] == "record") {
    model.requests.record_toggle = (w[1] == "stop") == model.movie.has_value();
    if (w[1] != "stop") model.movie_path = w[1];
  } else {
    return false;
  }
  return true;
}

bool Drive::check_hash(WindowState& model, const Line& line) {
  if (!model.session) fail(line, "no scene is open");
  if (waited_ == 0) {
    if (!model.settled()) {
      --waited_;  // the request waits until the window has settled
      return false;
    }
    model.session->request_hash();
    return false;
  }
  if (model.status.hash_step != model.status.step || model.status.hash == 0 || !model.settled() ||
      waited_ < 3)
    return false;
  const std::string& name = line.words[1];
  for (const auto& [known, hash] : hashes_)
    if (known == name) {
      if (hash != model.status.hash) fail(line, "the state hash differs from that of " + name);
      return true;
    }
  hashes_.emplace_back(name, model.status.hash);
  return true;
}

/// The actual value of what a line expects; for messages, the expected text if they contain it.
std::string Drive::actual(const WindowState& model, const Line& line) const {
  const std::string& what = line.words[1];
  const SessionStatus& s = model.status;
  if (what == "step") return std::to_string(s.step);
  if (what == "mode") {
    // "history" is a special case of "paused".
    const std::string mode = model.mode_name();
    return mode == "history" && expected(line) != mode ? "paused" : mode;
  }
  if (what == "branch") return std::to_string(s.branch);
  if (what == "bodies") return std::to_string(model.session ? model.session->count() : 0);
  if (what == "body") return model.picked ? std::to_string(*model.picked) : "none";
  if (what == "force-errors") return s.force_errors ? std::to_string(s.force_errors->step) : "none";
  if (what == "path") return share_name(model.share.path);
  if (what == "host-bytes") return std::to_string(model.share.host_bytes);
  if (what == "error" || what == "halt") {
    const std::string wanted = expected(line);
    const std::string& message = what == "error" ? model.error : s.halt;
    if (message.empty()) return "none";
    return message.find(wanted) != std::string::npos ? wanted : message;
  }
  if (what.starts_with("param."))
    for (const sim::SceneParam& p :
         model.session ? model.session->scene().params : std::vector<sim::SceneParam>())
      if ("param." + p.info.name == what) return engine::text_of(model.value_of(p));
  const engine::ParamValue live = sim::live_value(s.live, what);
  if (std::holds_alternative<std::monostate>(live))
    fail(line, "the scene has no " + engine::quoted(what));
  return engine::text_of(live);
}

std::string Drive::expected(const Line& line) {
  return joined_from(line.words, 2);
}

void Drive::expect(const WindowState& model, const Line& line) const {
  const std::string now = actual(model, line), wanted = expected(line);
  if (now != wanted) fail(line, fmt::format("{} is {}, not {}", line.words[1], now, wanted));
}

}  // namespace mote::app

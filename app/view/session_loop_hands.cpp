// Changes of bodies by hand, and their undoing.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>
#include <utility>

#include "app/view/session_loop.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/run/extent.h"
#include "sim/space/fixed_field.h"

namespace mote::app {
namespace {

double seconds_between(std::chrono::steady_clock::time_point a,
                       std::chrono::steady_clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

/// Whether it keeps its velocity, whatever pulls it.
bool is_fixed(sim::Simulation& simulation, std::uint32_t body) {
  const auto index = simulation.index_of(body);
  if (!index || !simulation.layout().has(sim::fields::fixed)) return false;
  return simulation.state().visit(
      [&](const auto& s) { return s[sim::fields::fixed][*index] != 0; });
}

constexpr std::uint64_t still_held = std::numeric_limits<std::uint64_t>::max();

}  // namespace

void SessionLoop::begin_action() {
  const std::size_t now = history_->edits_so_far().size();
  while (!actions_.empty() && actions_.back() >= now) actions_.pop_back();
  actions_.push_back(now);
}

void SessionLoop::skip_edit_of_scene() {
  const std::size_t now = history_->edits_so_far().size();
  if (!actions_.empty() && actions_.back() + 1 >= now) actions_.back() = now;
}

/// A slider that is dragged is one action: its edits follow each other within a second.
void SessionLoop::begin_edit(const sim::LiveEdits& edits) {
  const auto now = Clock::now();
  const bool at_once = seconds_between(std::exchange(last_edit_, now), now) < 1;
  const std::span<const sim::Edit> made = history_->edits_so_far();
  const auto is_same = [&](const sim::Edit& e) {
    return e.by_scene || std::any_of(edits.begin(), edits.end(),
                                     [&](const auto& edit) { return edit.first == e.path; });
  };
  const bool goes_on =
      at_once && !actions_.empty() && actions_.back() < made.size() &&
      std::all_of(made.begin() + static_cast<std::ptrdiff_t>(actions_.back()), made.end(), is_same);
  if (!goes_on) begin_action();
}

void SessionLoop::edit_together(const sim::LiveEdits& edits) {
  const bool same = std::all_of(edits.begin(), edits.end(), [&](const auto& edit) {
    return sim::live_value(simulation_.live(), edit.first) == edit.second;
  });
  if (same) return;
  // Edits of earlier actions stay, so that this one can be undone alone.
  history_->edit_together(edits, actions_.empty() ? 0 : actions_.back());
  note_edited();
}

void SessionLoop::begin_drag(std::uint32_t body, const sim::LiveEdits& edits) {
  end_past_drag();
  if (is_fixed(simulation_, body))
    notify(fmt::format("body {} is fixed: it keeps its velocity, whatever pulls it", body));
  pulling_ = true;
  Drag drag{simulation_.step(),
            still_held,
            history_->edits_so_far().size(),
            {},
            simulation_.momentum_given()};
  for (const auto& [path, value] : edits)
    drag.release.emplace_back(path, sim::live_value(simulation_.live(), path));
  drags_.push_back(std::move(drag));
}

void SessionLoop::pull(std::uint32_t body, const sim::LiveEdits& edits) {
  if (!pulling_) begin_drag(body, edits);
  edit_together(edits);
}

void SessionLoop::release(Drag& drag) {
  drag.last = simulation_.step();
  edit_together(drag.release);
}

void SessionLoop::let_go() {
  if (!std::exchange(pulling_, false)) return;  // undone meanwhile
  Drag& drag = drags_.back();
  const engine::Vec3d given = simulation_.momentum_given() - drag.given_before;
  release(drag);
  const std::string unit = opened_.scene.units.label("momentum");
  const std::string message =
      fmt::format("let go: it was given the momentum ({:.3g}, {:.3g}, {:.3g}){}", given.x, given.y,
                  given.z, unit.empty() ? "" : " " + unit);
  notify(message);
  engine::log().info("step {}: {}", simulation_.step(), message);
}

void SessionLoop::end_past_drag() {
  if (pulling_) return;
  const std::uint64_t now = simulation_.step();
  std::erase_if(drags_, [now](const Drag& drag) { return drag.first > now; });  // other branches
  if (!drags_.empty() && now < drags_.back().last) release(drags_.back());
}

void SessionLoop::add(const AdditionRequest& request) {
  if (!obstacles_)
    obstacles_.emplace(opened_.scene.obstacles, sim::axles_of(opened_.scene),
                       sim::SurfaceMaterial{}, 0.1 * sim::extent(simulation_).radius,
                       opened_.plan.cpu.threads);
  const sim::BodyChange change = added_bodies(simulation_, *obstacles_, request);
  if (change.empty()) return;
  history_->edit_bodies(change);
  note_edited();
  if (request.what != Addition::stream)
    notify(change.added.count() == 1 ? fmt::format("added body {}", simulation_.next_id() - 1)
                                     : "added " + engine::counted(change.added.count(), "body"));
}

void SessionLoop::remove(std::uint32_t body) {
  begin_action();
  history_->edit_bodies({.removed = {body}, .added = {}});
  note_edited();
  notify(fmt::format("removed body {}", body));
}

void SessionLoop::undo() {
  const std::size_t applied = history_->edits_so_far().size();
  // Actions ahead of a present step in the past stay.
  const auto ahead = std::lower_bound(actions_.begin(), actions_.end(), applied);
  if (ahead == actions_.begin()) return notify("nothing to undo here");
  const std::size_t edit = *(ahead - 1);
  actions_.erase(ahead - 1, actions_.end());
  pulling_ = false;
  history_->undo(edit);
  std::erase_if(drags_, [edit](const Drag& drag) { return drag.edits_before >= edit; });
  // Its release may have been undone.
  if (!drags_.empty() && drags_.back().last >= simulation_.step()) drags_.back().last = still_held;
  note_edited();
  loop_->note_discarded(simulation_.step());
  trail_.on_seek_end(simulation_);
  notify(fmt::format("undone: back at step {}", simulation_.step()));
}

}  // namespace mote::app

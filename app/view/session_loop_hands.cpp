// Changes of bodies by hand, and their undoing.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/view/session_loop.h"
#include "sim/run/extent.h"

namespace mote::app {

void SessionLoop::begin_action() {
  const std::size_t now = history_->edits_so_far().size();
  while (!actions_.empty() && actions_.back() >= now) actions_.pop_back();
  actions_.push_back(now);
}

/// Unless all edits of the present action are of these parameters: a slider that is dragged.
void SessionLoop::begin_edit(const sim::LiveEdits& edits) {
  const std::span<const sim::Edit> made = history_->edits_so_far();
  const bool goes_on = !actions_.empty() && actions_.back() < made.size() &&
                       std::all_of(made.begin() + static_cast<std::ptrdiff_t>(actions_.back()),
                                   made.end(), [&](const sim::Edit& e) {
                                     return !e.bodies && std::any_of(edits.begin(), edits.end(),
                                                                     [&](const auto& now) {
                                                                       return now.first == e.path;
                                                                     });
                                   });
  if (!goes_on) begin_action();
}

void SessionLoop::edit_together(const sim::LiveEdits& edits) {
  history_->edit_together(edits);
  note_edited();
}

void SessionLoop::let_go(const sim::LiveEdits& edits) {
  const engine::Vec3d given = simulation_.momentum_given();
  edit_together(edits);
  notify(fmt::format("let go: it was given the momentum ({:.3g}, {:.3g}, {:.3g})", given.x, given.y,
                     given.z));
}

void SessionLoop::add(const AdditionRequest& request) {
  if (!obstacles_)
    obstacles_.emplace(opened_.scene.obstacles, sim::SurfaceMaterial{},
                       0.1 * sim::extent(simulation_).radius, opened_.plan.cpu.threads);
  const sim::BodyChange change = added_bodies(simulation_, opened_.scene, *obstacles_, request);
  if (change.empty()) return;
  history_->edit_bodies(change);
  note_edited();
  if (request.what != Addition::stream)
    notify(change.added.count() == 1 ? fmt::format("added body {}", simulation_.next_id() - 1)
                                     : fmt::format("added {} bodies", change.added.count()));
}

void SessionLoop::remove(std::uint32_t body) {
  begin_action();
  history_->edit_bodies({.removed = {body}, .added = {}});
  note_edited();
  notify(fmt::format("removed body {}", body));
}

void SessionLoop::undo() {
  const std::size_t applied = history_->edits_so_far().size();
  while (!actions_.empty() && actions_.back() >= applied) actions_.pop_back();
  if (actions_.empty()) return notify("nothing to undo here");
  history_->undo(actions_.back());
  actions_.pop_back();
  note_edited();
  loop_->note_discarded(simulation_.step());
  trail_.on_seek_end(simulation_);
  notify(fmt::format("undone: back at step {}", simulation_.step()));
}

}  // namespace mote::app

// Changes of bodies by hand, and their undoing.
#include <fmt/format.h>

#include "app/view/session_loop.h"
#include "sim/run/extent.h"

namespace mote::app {

/// The action makes the edits that follow.
void SessionLoop::begin_action() {
  const std::size_t now = history_->edits_so_far().size();
  while (!actions_.empty() && actions_.back() >= now) actions_.pop_back();
  actions_.push_back(now);
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

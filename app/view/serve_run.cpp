#include <future>
#include <thread>
#include <utility>

#include "app/run/watcher.h"
#include "app/view/frame_loop.h"
#include "app/view/watched_run.h"
#include "engine/log.h"

namespace mote::app {
namespace {

/// A RunInBrowsers draws in a thread of its own, so that the run never waits for a picture.
class RunInBrowsers : public Watcher {
 public:
  explicit RunInBrowsers(ViewOptions options) {
    std::promise<void> opened;
    std::future<void> listening = opened.get_future();
    thread_ = std::thread([this, options = std::move(options),
                           opened = std::move(opened)]() mutable { draw(options, opened); });
    try {
      listening.get();
    } catch (...) {
      thread_.join();
      throw;
    }
  }
  ~RunInBrowsers() override {
    shared_.close(ended_ ? "" : "the run has failed; what mote has printed says why");
    thread_.join();
  }
  RunInBrowsers(const RunInBrowsers&) = delete;
  RunInBrowsers& operator=(const RunInBrowsers&) = delete;

  void begin(const Run& run) override {
    const HeadlessRequest& request = run.request;
    Opened opened;
    opened.request = {request.scene, request.settings, request.options, request.trust};
    opened.scene = run.scene;
    opened.plan = run.plan;
    opened.plan.series_steps = request.series_steps.value_or(run.plan.series_steps);
    session_ = std::make_shared<Session>(std::move(opened), run.simulation);
    shared_.show({session_, run.folder});
  }
  bool wants_visit() const override { return shared_.has_window() && session_->wants_visit(); }
  void visit(std::uint64_t last) override {
    try_showing([&] { session_->visit(last); });
  }
  void add_row(const sim::Measurement& measurement) override { session_->add_row(measurement); }
  void end(const std::string& how) override {
    ended_ = true;
    try_showing([&] { session_->end_visits(how); });
  }

 private:
  /// The run goes on if an action for the window fails, for example because memory is short.
  template <class Action>
  void try_showing(Action action) {
    try {
      action();
    } catch (const std::exception& e) {
      engine::log().error("the run is no longer shown: {}", e.what());
      shared_.lose_window();
    }
  }

  /// A window that fails ends no run.
  void draw(const ViewOptions& options, std::promise<void>& opened) {
    bool listens = false;
    try {
      FrameLoop loop(options, &shared_);
      listens = true;
      opened.set_value();
      loop.run();
    } catch (const std::exception& e) {
      if (!listens) return opened.set_exception(std::current_exception());
      engine::log().error("the run is no longer shown: {}", e.what());
      shared_.lose_window();
    }
  }

  WatchedRun shared_;
  std::shared_ptr<Session> session_;  // used by the thread of the run only
  bool ended_ = false;                // likewise
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Watcher> serve_run(const HeadlessRequest& request) {
  ViewOptions options;
  options.serve = request.serve;
  options.serve->takes_files = false;
  options.addresses_on_stderr = request.json;
  options.open.scene = request.scene;
  options.open.options = request.options;
  return std::make_unique<RunInBrowsers>(std::move(options));
}

}  // namespace mote::app

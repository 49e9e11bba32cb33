#pragma once

#include <memory>

#include "render/serve/server.h"
#include "render/serve/window_site.h"
#include "render/surface.h"

namespace mote::render::serve {

/// A ServedSurface is a surface in memory whose pictures go to browsers and whose input comes from
/// there.
class ServedSurface : public Surface {
 public:
  /// Throws like open_offscreen and Server.
  ServedSurface(const SurfaceOptions& options, const ServerOptions& server);

  int width() const override { return picture_->width(); }
  int height() const override { return picture_->height(); }
  double scale() const override;
  GLuint framebuffer() const override { return picture_->framebuffer(); }
  const GlInfo& info() const override { return picture_->info(); }

  std::vector<InputEvent> poll(double seconds) override;
  void show() override;
  bool watched() const override { return exchange_.demand().watched; }

  void resize(int width, int height) override { picture_->resize(width, height); }
  void set_title(const std::string& title) override;
  void set_pointer(Pointer pointer) override;
  void set_state(const std::string& mode, const std::string& trouble) override;
  void set_clipboard(const std::string& text) override;
  void offer_file(const std::filesystem::path& path) override { site_.offer(path); }

  const Directions& directions() const { return server_.directions(); }

 private:
  using Clock = std::chrono::steady_clock;

  void fit_to(const ViewSize& page);
  void send(const Image& image, FrameKind kind, bool key = false);

  std::optional<double> requested_scale_;
  std::unique_ptr<Surface> picture_;
  Exchange exchange_;
  WindowSite site_;
  Encoder encoder_;
  Image sent_;  ///< the last picture sent
  Clock::time_point shown_{}, changed_{};
  double ratio_ = 1;     ///< pixels of the display in one of the page
  bool behind_ = false;  ///< the last picture was not sent, since no page could take it
  bool sharp_ = false;   ///< the last picture was sent as a still
  News news_;
  // The server comes last, because its thread uses the exchange and the site.
  Server server_;
};

}  // namespace mote::render::serve

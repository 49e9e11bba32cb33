#include "render/capture.h"

#include <stb_image_write.h>

#include <array>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "engine/check.h"
#include "engine/files.h"
#include "engine/log.h"
#include "engine/text.h"
#include "render/piped_program.h"

namespace mote::render {
namespace fs = std::filesystem;

namespace {

void append(void* text, void* data, int size) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(data),
                                          static_cast<std::size_t>(size));
}

std::string size_text(int width, int height) {
  return std::to_string(width) + " x " + std::to_string(height);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw engine::SystemError("create the folder " + folder.string(), error.message(),
                              "check its permissions");
}

/// Arguments for raw pictures in, H.264 out. The file names the colour space of HD video, so that
/// players show the colours of the PNG.
std::vector<std::string> encoder_arguments(const fs::path& output, int width, int height,
                                           double rate) {
  const std::string colors = "bt709";
  return {"-hide_banner", "-loglevel", "error", "-nostdin", "-y",  //
          "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
          std::to_string(width) + "x" + std::to_string(height),    //
          "-r", engine::number_text(rate), "-i", "pipe:0", "-an",  //
          "-vf",
          "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
          // Without B-frames segments join without a gap.
          "-c:v", "libx264", "-preset", "medium", "-crf", "17", "-bf", "0",         //
          "-colorspace", colors, "-color_primaries", colors, "-color_trc", colors,  //
          // An absolute path: a relative one may begin with a dash or look like a protocol.
          "-movflags", "+faststart", "-f", "mp4", fs::absolute(output).string()};
}

}  // namespace

void write_png(const fs::path& path, const Image& image) {
  MOTE_EXPECT(image.rgb.size() == static_cast<std::size_t>(image.width) * image.height * 3);
  std::string file;
  if (!stbi_write_png_to_func(append, &file, image.width, image.height, 3, image.rgb.data(),
                              image.width * 3))
    throw engine::SystemError("encode " + path.string(), "not enough memory",
                              "use a smaller picture");
  engine::write_file(path, file, true);
}

Movie::Movie(fs::path path, double rate) : path_(std::move(path)), rate_(rate) {
  MOTE_EXPECT(rate > 0);
  const fs::path folder = fs::absolute(path_).parent_path();
  if (!fs::is_directory(folder))
    throw engine::SystemError("create the movie " + path_.string(),
                              "there is no folder " + folder.string(), "create it first");
  if (const auto found = program_named("ffmpeg")) {
    encoder_ = *found;
    return;
  }
  engine::log().warn(
      "ffmpeg is not on PATH: instead of {}, PNG pictures are written to {}; install ffmpeg to get "
      "a movie",
      path_.string(), frame_file(1).parent_path().string());
}

Movie::Movie(fs::path path, double rate, Checkpoint checkpoint) : Movie(std::move(path), rate) {
  count_ = segment_begin_ = checkpoint.pictures;
  segments_ = std::move(checkpoint.segments);
  std::error_code ignored;
  if (encoder_.empty()) return;
  for (std::size_t number = 0; number < segments_.size(); ++number) {
    if (fs::exists(segment_file(number), ignored)) continue;
    if (!checkpoint.finished || !fs::exists(path_, ignored))
      throw engine::SystemError("resume the movie " + path_.string(),
                                "there is no " + segment_file(number).string(),
                                "restore it, or start the movie again");
    make_folder(segments_folder());
    fs::copy_file(path_, segment_file(0), fs::copy_options::overwrite_existing);
    segments_ = {count_};
  }
  for (std::size_t number = segments_.size(); fs::remove(segment_file(number), ignored); ++number) {
  }
}

Movie::Movie(Movie&& other) noexcept = default;

Movie::~Movie() {
  if (!program_) return;
  program_.reset();  // first, or it could create the file again
  std::error_code ignored;
  fs::remove(engine::part_of(path_), ignored);
}

fs::path Movie::frame_file(int number) const {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "frame_%06d.png", number);
  return path_.parent_path() / "frames" / name.data();
}

fs::path Movie::segments_folder() const {
  return path_.parent_path() / (path_.stem().string() + ".parts");
}

fs::path Movie::segment_file(std::size_t number) const {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "part_%06d.mp4", static_cast<int>(number));
  return segments_folder() / name.data();
}

void Movie::start(const Image& first) {
  width_ = first.width;
  height_ = first.height;
  if (encoder_.empty()) return make_folder(frame_file(1).parent_path());
  remove_partial();
  program_ = std::make_unique<PipedProgram>(
      encoder_, encoder_arguments(engine::part_of(path_), width_, height_, rate_));
}

/// Otherwise the encoder would follow a link of this name.
void Movie::remove_partial() const {
  std::error_code ignored;
  fs::remove(engine::part_of(path_), ignored);
}

void Movie::add(const Image& image) {
  if (width_ == 0 || (!encoder_.empty() && !program_)) start(image);
  if (image.width != width_ || image.height != height_)
    throw engine::SystemError("add a picture to " + path_.string(),
                              "it has " + size_text(image.width, image.height) +
                                  " pixels, the first one " + size_text(width_, height_),
                              "draw all pictures of a movie in the same size");
  if (program_)
    program_->write(image.rgb);
  else
    write_png(frame_file(count_ + 1), image);
  ++count_;
}

void Movie::end_segment() {
  if (!program_) return;
  program_->finish();
  program_.reset();
  make_folder(segments_folder());
  std::error_code error;
  fs::rename(engine::part_of(path_), segment_file(segments_.size()), error);
  if (error)
    throw engine::SystemError("rename " + engine::part_of(path_).string(), error.message(),
                              "check that the folder is writable and that the disk has space");
  engine::sync_to_disk(segment_file(segments_.size()));
  segments_.push_back(count_ - std::exchange(segment_begin_, count_));
}

Movie::Checkpoint Movie::checkpoint() {
  end_segment();
  return {count_, segments_};
}

/// Concatenates the segments by copying packets.
void Movie::concatenate() {
  std::string list;
  for (std::size_t number = 0; number < segments_.size(); ++number)
    list += "file '" + segment_file(number).filename().string() + "'\nduration " +
            engine::number_text(segments_[number] / rate_) + "\n";
  const fs::path list_file = segments_folder() / "list.txt";
  engine::write_file(list_file, list);
  remove_partial();
  PipedProgram joiner(
      encoder_, {"-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "concat", "-safe",
                 "0", "-i", fs::absolute(list_file).string(), "-c", "copy", "-movflags",
                 "+faststart", "-f", "mp4", fs::absolute(engine::part_of(path_)).string()});
  joiner.finish();
}

fs::path Movie::finish(bool keep_segments) {
  if (count_ == 0) {
    engine::log().warn("the movie {} was not written: it would have no pictures", path_.string());
    return {};
  }
  if (encoder_.empty()) {
    // Leftovers of a longer sequence would look like the end of this one.
    std::error_code ignored;
    for (int number = count_ + 1; fs::remove(frame_file(number), ignored); ++number) {
    }
    return frame_file(1).parent_path();
  }
  if (segments_.empty()) {
    program_->finish();
  } else {
    end_segment();
    concatenate();
  }
  // Once the segments are gone this file is the only copy.
  engine::sync_to_disk(engine::part_of(path_));
  engine::commit_part(path_);
  engine::sync_to_disk(fs::absolute(path_).parent_path());
  program_.reset();
  if (!keep_segments) remove_segments();
  return path_;
}

void Movie::remove_segments() const {
  std::error_code ignored;
  fs::remove_all(segments_folder(), ignored);
}

}  // namespace mote::render

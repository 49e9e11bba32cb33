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
    throw engine::SystemError("make the folder " + folder.string(), error.message(),
                              "check its permissions");
}

/// Raw pictures in, H.264 out. The colours of HD video are named in the file, so that players show
/// those of the PNG.
std::vector<std::string> encoder_arguments(const fs::path& output, int width, int height,
                                           double rate) {
  const std::string colors = "bt709";
  return {"-hide_banner", "-loglevel", "error", "-nostdin", "-y",  //
          "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
          std::to_string(width) + "x" + std::to_string(height),    //
          "-r", engine::number_text(rate), "-i", "pipe:0", "-an",  //
          "-vf",
          "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
          // Without pictures that wait for later ones, parts fit together without a gap.
          "-c:v", "libx264", "-preset", "medium", "-crf", "17", "-bf", "0",         //
          "-colorspace", colors, "-color_primaries", colors, "-color_trc", colors,  //
          // An absolute path: one that begins with a dash or names a protocol would be misread.
          "-movflags", "+faststart", "-f", "mp4", fs::absolute(output).string()};
}

}  // namespace

void write_png(const fs::path& path, const Image& image) {
  MOTE_EXPECT(image.rgb.size() == static_cast<std::size_t>(image.width) * image.height * 3);
  std::string file;
  if (!stbi_write_png_to_func(append, &file, image.width, image.height, 3, image.rgb.data(),
                              image.width * 3))
    throw engine::SystemError("encode " + path.string(), "not enough memory",
                              "ask for a smaller picture");
  engine::write_whole(path, file, true);
}

Movie::Movie(fs::path path, double rate) : path_(std::move(path)), rate_(rate) {
  MOTE_EXPECT(rate > 0);
  const fs::path folder = fs::absolute(path_).parent_path();
  if (!fs::is_directory(folder))
    throw engine::SystemError("make the movie " + path_.string(),
                              "there is no folder " + folder.string(), "make it first");
  if (const auto found = program_named("ffmpeg")) {
    encoder_ = *found;
    return;
  }
  engine::log().warn(
      "ffmpeg is not on PATH, so instead of {} there will be PNG pictures in {}; install ffmpeg "
      "for a movie",
      path_.string(), file_of(1).parent_path().string());
}

Movie::Movie(fs::path path, double rate, Position position) : Movie(std::move(path), rate) {
  count_ = part_begin_ = position.pictures;
  parts_ = std::move(position.parts);
  std::error_code ignored;
  if (encoder_.empty()) return;
  for (std::size_t number = 0; number < parts_.size(); ++number)
    if (!fs::exists(part_file(number), ignored))
      throw engine::SystemError("go on with the movie " + path_.string(),
                                "there is no " + part_file(number).string(),
                                "put it back, or start anew");
  for (std::size_t number = parts_.size(); fs::remove(part_file(number), ignored); ++number) {
  }
}

Movie::Movie(Movie&& other) noexcept = default;

Movie::~Movie() {
  if (!program_) return;
  program_.reset();  // first, or it could make the file again
  std::error_code ignored;
  fs::remove(engine::part_of(path_), ignored);
}

fs::path Movie::file_of(int number) const {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "frame_%06d.png", number);
  return path_.parent_path() / "frames" / name.data();
}

fs::path Movie::parts_folder() const {
  return path_.parent_path() / (path_.stem().string() + ".parts");
}

fs::path Movie::part_file(std::size_t number) const {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "part_%06d.mp4", static_cast<int>(number));
  return parts_folder() / name.data();
}

void Movie::start(const Image& first) {
  width_ = first.width;
  height_ = first.height;
  if (encoder_.empty()) return make_folder(file_of(1).parent_path());
  remove_partial();
  program_ = std::make_unique<PipedProgram>(
      encoder_, encoder_arguments(engine::part_of(path_), width_, height_, rate_));
}

/// Where it is a link, the encoder would follow it.
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
                              "draw all pictures of a movie in one size");
  if (program_)
    program_->write(image.rgb);
  else
    write_png(file_of(count_ + 1), image);
  ++count_;
}

void Movie::end_part() {
  if (!program_) return;
  program_->finish();
  program_.reset();
  make_folder(parts_folder());
  std::error_code error;
  fs::rename(engine::part_of(path_), part_file(parts_.size()), error);
  if (error)
    throw engine::SystemError("rename " + engine::part_of(path_).string(), error.message(),
                              "check that the folder is writable and that the disk has space");
  engine::sync_to_disk(part_file(parts_.size()));
  parts_.push_back(count_ - std::exchange(part_begin_, count_));
}

Movie::Position Movie::put_by() {
  end_part();
  return {count_, parts_};
}

/// Puts the parts together: packets are copied.
void Movie::join() {
  std::string list;
  for (std::size_t number = 0; number < parts_.size(); ++number)
    list += "file '" + part_file(number).filename().string() + "'\nduration " +
            engine::number_text(parts_[number] / rate_) + "\n";
  const fs::path list_file = parts_folder() / "list.txt";
  engine::write_whole(list_file, list);
  remove_partial();
  PipedProgram joiner(
      encoder_, {"-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "concat", "-safe",
                 "0", "-i", fs::absolute(list_file).string(), "-c", "copy", "-movflags",
                 "+faststart", "-f", "mp4", fs::absolute(engine::part_of(path_)).string()});
  joiner.finish();
}

fs::path Movie::finish(bool keep_parts) {
  if (count_ == 0) {
    engine::log().warn("the movie {} was not written: it would have no pictures", path_.string());
    return {};
  }
  if (encoder_.empty()) {
    // What is left of a longer sequence would look like the end of this one.
    std::error_code ignored;
    for (int number = count_ + 1; fs::remove(file_of(number), ignored); ++number) {
    }
    return file_of(1).parent_path();
  }
  if (parts_.empty()) {
    program_->finish();
  } else {
    end_part();
    join();
  }
  // Its frames are nowhere else once the parts are gone.
  engine::sync_to_disk(engine::part_of(path_));
  engine::commit_part(path_);
  engine::sync_to_disk(fs::absolute(path_).parent_path());
  program_.reset();
  if (!keep_parts) remove_parts();
  return path_;
}

void Movie::remove_parts() const {
  std::error_code ignored;
  fs::remove_all(parts_folder(), ignored);
}

}  // namespace mote::render

#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "render/picture.h"

namespace mote::render {

class PipedProgram;

/// Writes a PNG; it appears under its name only when whole. Throws engine::SystemError when it
/// cannot be written.
void write_png(const std::filesystem::path& path, const Image& image);

/// A movie of pictures of equal size: H.264 in MP4 through the program ffmpeg, which must be on
/// PATH; odd sizes gain a black column or row, because H.264 has only even ones. Without ffmpeg the
/// pictures become a sequence of PNG files `frames/frame_000001.png`, ... beside the movie's path,
/// and the log says so once.
///
/// A movie that takes long can be put by in parts, in a folder beside it (movie.parts for
/// movie.mp4), which are put together at the end without being encoded anew: so it can go on in
/// another process.
///
/// The movie appears under its name only when whole: before `finish`, and for good when it is never
/// called, there is no such file and an earlier one stays as it was.
class Movie {
 public:
  /// `rate`: pictures a second. Throws engine::SystemError when the folder of `path` does not
  /// exist.
  explicit Movie(std::filesystem::path path, double rate = 30);
  /// How far a movie is that was put by: pictures, and how many of them are in which part.
  struct Position {
    int pictures = 0;
    std::vector<int> parts = {};
  };
  /// Goes on with a movie that was put by. What came later is taken back. Throws
  /// engine::SystemError when a part is gone.
  Movie(std::filesystem::path path, double rate, Position position);
  ~Movie();
  Movie(Movie&& other) noexcept;
  Movie& operator=(Movie&& other) = delete;

  /// Throws engine::SystemError with ffmpeg's last words when it died, or when the picture has
  /// another size than the first. After that only destruction makes sense.
  void add(const Image& image);

  /// Puts all pictures so far by. Throws like `add`.
  Position put_by();

  /// Makes the movie whole; with `keep_parts` it can still go on from where it was put by. Returns
  /// its path, or the folder of the sequence, or an empty path, with a warning in the log, when
  /// there were no pictures. Call once, last. Throws engine::SystemError like `add`.
  std::filesystem::path finish(bool keep_parts = false);
  /// Removes the parts of a finished one, that nothing goes on from any more.
  void remove_parts() const;

  /// Pictures so far.
  int count() const { return count_; }

 private:
  void start(const Image& first);
  void end_part();
  void join();
  std::filesystem::path file_of(int number) const;
  void remove_partial() const;
  std::filesystem::path parts_folder() const;
  std::filesystem::path part_file(std::size_t number) const;

  std::filesystem::path path_;
  std::filesystem::path encoder_;  ///< ffmpeg, or empty
  double rate_;
  int count_ = 0, part_begin_ = 0, width_ = 0, height_ = 0;
  std::vector<int> parts_;  ///< pictures in each
  std::unique_ptr<PipedProgram> program_;
};

}  // namespace mote::render

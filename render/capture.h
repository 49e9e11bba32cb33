#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "render/picture.h"

namespace mote::render {

class PipedProgram;

/// Writes a PNG atomically: a file of this name is always complete. Throws engine::SystemError when
/// it cannot be written.
void write_png(const std::filesystem::path& path, const Image& image);

/// A movie of equally sized pictures: H.264 in MP4, encoded by the program ffmpeg, which must be on
/// PATH. Odd sizes are padded by a black column or row, because H.264 needs even ones. Without
/// ffmpeg the pictures become PNG files `frames/frame_000001.png`, ... beside the movie's path,
/// with one warning in the log.
///
/// A long recording can be checkpointed in segments, stored in a folder beside the movie
/// (movie.parts for movie.mp4) and concatenated at the end without re-encoding, so that another
/// process can resume it.
///
/// The movie appears under its name only once complete: until `finish`, or for good if it is never
/// called, there is no such file and an earlier one is kept.
class Movie {
 public:
  /// `rate`: pictures per second. Throws engine::SystemError when the folder of `path` does not
  /// exist.
  explicit Movie(std::filesystem::path path, double rate = 30);
  /// State of a checkpointed movie: number of pictures, and how many are in each segment.
  struct Checkpoint {
    int pictures = 0;
    std::vector<int> segments = {};
    bool finished = false;  ///< a finished movie has just these pictures
  };
  /// Resumes a checkpointed movie and discards later pictures; a finished one stands for segments
  /// that are gone. Throws engine::SystemError when a segment is missing.
  Movie(std::filesystem::path path, double rate, Checkpoint checkpoint);
  ~Movie();
  Movie(Movie&& other) noexcept;
  Movie& operator=(Movie&& other) = delete;

  /// Throws engine::SystemError with ffmpeg's last messages when it died, or when the size differs
  /// from the first picture's. After that the movie can only be destroyed.
  void add(const Image& image);

  /// Stores all pictures so far in complete segments. Throws like `add`.
  Checkpoint checkpoint();

  /// Completes the movie; with `keep_segments` it can still be resumed from its last checkpoint.
  /// Returns its path, or the folder of the PNG sequence, or, when there were no pictures, an empty
  /// path with a warning in the log. Call once, last. Throws engine::SystemError like `add`.
  std::filesystem::path finish(bool keep_segments = false);
  /// Removes the segments of a finished movie that will not be resumed.
  void remove_segments() const;

  /// Pictures so far.
  int count() const { return count_; }

 private:
  void start(const Image& first);
  void end_segment();
  void concatenate();
  std::filesystem::path frame_file(int number) const;
  void remove_partial() const;
  std::filesystem::path segments_folder() const;
  std::filesystem::path segment_file(std::size_t number) const;

  std::filesystem::path path_;
  std::filesystem::path encoder_;  ///< ffmpeg, or empty
  double rate_;
  int count_ = 0, segment_begin_ = 0, width_ = 0, height_ = 0;
  std::vector<int> segments_;  ///< pictures in each segment
  std::unique_ptr<PipedProgram> program_;
};

}  // namespace mote::render

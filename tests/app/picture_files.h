#pragma once

#include <stb_image.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

namespace mote::test {

/// A PNG file as three bytes per pixel.
struct PictureFile {
  int width = 0, height = 0;
  std::unique_ptr<stbi_uc, void (*)(void*)> bytes{nullptr, stbi_image_free};
};

inline PictureFile read_picture(const std::filesystem::path& file) {
  PictureFile picture;
  int channels = 0;
  picture.bytes.reset(stbi_load(file.c_str(), &picture.width, &picture.height, &channels, 3));
  return picture;
}

/// Difference of two pictures of one size, in levels of 255.
struct Difference {
  double mean = 0;
  double far = 0;  ///< fraction of all channels that differ by more than 40
};

/// Compares this many rows from the top.
inline Difference difference(const PictureFile& a, const PictureFile& b, int rows) {
  Difference d;
  const int count = a.width * rows * 3;
  for (int i = 0; i < count; ++i) {
    const int by = std::abs(a.bytes.get()[i] - b.bytes.get()[i]);
    d.mean += by;
    d.far += by > 40;
  }
  return {d.mean / count, d.far / count};
}

}  // namespace mote::test

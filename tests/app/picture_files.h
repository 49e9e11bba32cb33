#pragma once

#include <stb_image.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

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

/// The bytes of a rectangle.
inline std::string part_of(const PictureFile& picture, int left, int top, int right, int bottom) {
  std::string part;
  for (int y = top; y < bottom; ++y)
    part.append(reinterpret_cast<const char*>(picture.bytes.get()) + 3 * (y * picture.width + left),
                static_cast<std::size_t>(3 * (right - left)));
  return part;
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

/// A part of a picture, as fractions of its width and height: the box of some of its pixels.
struct Subject {
  double width = 0, height = 0;
  int pixels = 0;
  double lit = 0;  ///< fraction of the pixels
  double larger() const { return std::max(width, height); }
};

/// That of the pixels for which a condition on their index holds.
template <class Condition>
Subject subject_where(const PictureFile& picture, const Condition& condition) {
  int left = picture.width, right = -1, top = picture.height, bottom = -1, pixels = 0;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      if (!condition(y * picture.width + x)) continue;
      ++pixels;
      left = std::min(left, x), right = std::max(right, x);
      top = std::min(top, y), bottom = std::max(bottom, y);
    }
  if (right < 0) return {};
  return {double(right - left + 1) / picture.width, double(bottom - top + 1) / picture.height,
          pixels, double(pixels) / (picture.width * picture.height)};
}

/// What is seen on a dark background: pixels whose channels sum to more than 60 of 765, where the
/// background has 22.
inline Subject subject_of(const PictureFile& picture) {
  return subject_where(picture, [&](int i) {
    const stbi_uc* const p = picture.bytes.get() + 3 * i;
    return p[0] + p[1] + p[2] > 60;
  });
}

/// What is seen in one picture and not in another of the same size: pixels whose channels differ by
/// as much in sum.
inline Subject subject_beside(const PictureFile& picture, const PictureFile& without) {
  return subject_where(picture, [&](int i) {
    int by = 0;
    for (int c = 0; c < 3; ++c)
      by += std::abs(picture.bytes.get()[3 * i + c] - without.bytes.get()[3 * i + c]);
    return by > 60 - 22;
  });
}

}  // namespace mote::test

#pragma once

#include <stb_image.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>
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

/// A rectangle of pixels, to its last column and row.
struct Box {
  int left, right, top, bottom;
  int width() const { return right - left; }
  int height() const { return bottom - top; }
};
inline std::ostream& operator<<(std::ostream& out, const Box& box) {
  return out << box.left << " to " << box.right << ", " << box.top << " to " << box.bottom;
}

/// Of the pixels for which a condition on their index holds.
template <class Condition>
Box box_where(const PictureFile& picture, const Condition& condition) {
  Box found{picture.width, -1, picture.height, -1};
  for (int i = 0; i < picture.width * picture.height; ++i) {
    if (!condition(i)) continue;
    const int x = i % picture.width, y = i / picture.width;
    found.left = std::min(found.left, x), found.right = std::max(found.right, x);
    found.top = std::min(found.top, y), found.bottom = std::max(found.bottom, y);
  }
  return found;
}

/// Of the channels, in sum.
inline int difference_at(const PictureFile& a, const PictureFile& b, int pixel) {
  int sum = 0;
  for (int i = 3 * pixel; i < 3 * pixel + 3; ++i)
    sum += std::abs(a.bytes.get()[i] - b.bytes.get()[i]);
  return sum;
}

/// A pixel belongs to the subject if the sum of its channels differs from the background's by more.
constexpr int seen_above = 38;

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
  int pixels = 0;
  const Box box = box_where(picture, [&](int i) { return condition(i) && ++pixels > 0; });
  if (pixels == 0) return {};
  return {double(box.width() + 1) / picture.width, double(box.height() + 1) / picture.height,
          pixels, double(pixels) / (picture.width * picture.height)};
}

/// What is seen on a dark background, whose channels sum to 22.
inline Subject subject_of(const PictureFile& picture) {
  return subject_where(picture, [&](int i) {
    const stbi_uc* const p = picture.bytes.get() + 3 * i;
    return p[0] + p[1] + p[2] > 22 + seen_above;
  });
}

/// What is seen in one picture and not in another of the same size.
inline Subject subject_beside(const PictureFile& picture, const PictureFile& without) {
  return subject_where(picture,
                       [&](int i) { return difference_at(picture, without, i) > seen_above; });
}

}  // namespace mote::test

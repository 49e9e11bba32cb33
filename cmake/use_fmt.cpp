// Test program: does engine/fmt.cpp provide what users of fmt's headers need from its library?
#include <fmt/format.h>

#include <string>

int main(int count, char**) {
  const std::string text =
      fmt::format("{} {:>8.3g} {:x} {:L} {}", count, 0.5 * count, count, 0.1f * count, "text");
  return text.empty() ? 1 : 0;
}

// A child process made by fork computes with threads of its own, with the same results as its
// parent.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <string>

#include "api/mote.h"

namespace mote::test {
namespace {

const Options in_threads{.backend = "cpu", .precision = "single", .threads = 2};

/// Enough bodies for forces and measurements to use several threads.
Simulation many(const Options& options = in_threads) {
  return load("plummer", {{"n", "2048"}, {"gravity.softening", "0.02"}}, options);
}

/// The result of `work`, or the text of its exception, in a forked child; nothing if that does not
/// exit within a minute.
std::optional<std::string> result_of_child(const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    std::string text;
    try {
      text = work();
    } catch (const std::exception& e) {
      text = e.what();
    }
    const bool complete =
        write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(complete ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[512];
  for (ssize_t count; (count = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return std::nullopt;
  return text;
}

TEST(Fork, ChildrenComputeWhatTheirParentDoes) {
  Simulation sim = many();
  sim.step(2);  // starts threads, which the child will not have
  const auto continued = result_of_child([&] {
    sim.step(2);
    return sim.hash() + " " + std::to_string(sim.measure().energy);
  });
  const auto opened = result_of_child([] {
    Simulation own = many();
    own.step(4);
    return own.hash() + " " + std::to_string(own.measure().energy);
  });
  sim.step(2);
  const std::string expected = sim.hash() + " " + std::to_string(sim.measure().energy);
  EXPECT_EQ(continued.value_or("hangs"), expected);
  EXPECT_EQ(opened.value_or("hangs"), expected);
  // Grandchildren do, too.
  const auto grandchild = result_of_child(
      [&] { return result_of_child([&] { return sim.hash(); }).value_or("hangs"); });
  EXPECT_EQ(grandchild.value_or("hangs"), sim.hash());
}

TEST(Fork, ChildrenCannotUseTheGpu) {
  std::optional<Simulation> sim;
  try {
    sim.emplace(many({.backend = "cuda"}));
  } catch (const InputError&) {
    GTEST_SKIP() << "no GPU, and none is emulated";
  }
  sim->step(1);
  const std::string hash = sim->hash();
  const auto inherited = result_of_child([&] { return std::to_string(sim->step(1)); });
  EXPECT_NE(inherited.value_or("").find("CUDA does not survive a fork; start processes with spawn"),
            std::string::npos)
      << inherited.value_or("hangs");
  const auto own = result_of_child([] { return many({.backend = "cuda"}).backend(); });
  EXPECT_NE(own.value_or("").find("forked from one that had initialised CUDA"), std::string::npos)
      << own.value_or("hangs");
  const auto ended = result_of_child([&] {
    sim.reset();  // must not free resources of the parent
    return many().backend();
  });
  EXPECT_EQ(ended.value_or("hangs"), "cpu");
  EXPECT_EQ(sim->hash(), hash);
  EXPECT_EQ(sim->step(1), 1u);
}

TEST(Fork, ChildrenOfAProcessThatHasRenderedCannotRender) {
  Simulation sim = many();
  try {
    sim.render(64, 48);
  } catch (const std::exception& e) {
    GTEST_SKIP() << e.what();
  }
  const auto drawn = result_of_child([&] { return std::to_string(sim.render(64, 48).width); });
  EXPECT_NE(drawn.value_or("").find("OpenGL does not survive a fork"), std::string::npos)
      << drawn.value_or("hangs");
  const auto stepped = result_of_child([&] { return std::to_string(sim.step(2)); });
  EXPECT_EQ(stepped.value_or("hangs"), "2");
  EXPECT_EQ(sim.render(64, 48).width, 64);
}

}  // namespace
}  // namespace mote::test

// Simulations in threads of one process, on one GPU, through the library's public interface.
//
//   mote_threads open SECONDS
//     One thread modifies a simulation, which captures its CUDA graph again each time; another
//     opens, steps and closes others. Nothing may fail.
//   mote_threads share THREADS SECONDS
//     Steps as many simulations of 8,192 bodies concurrently and prints their steps per second. The
//     fastest may have at most twice the rate of the slowest.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "api/mote.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

mote::Options on_the_gpu() {
  mote::Options options;
  options.backend = "cuda";
  return options;
}

/// Counts of operations of a thread; prints the first failures.
struct Counts {
  std::atomic<long> done{0}, failed{0};
  void fail(const char* what, const std::exception& error) {
    if (failed++ < 3) std::printf("%s %ld: %s\n", what, done.load(), error.what());
  }
};

int open_concurrently(double seconds) {
  const auto begin = Clock::now();
  Counts opened, changed;
  std::atomic<bool> over{false};
  std::thread other([&] {
    while (!over) try {
        auto simulation = mote::load("plummer", {{"n", "2000"}}, on_the_gpu());
        simulation.step(1);
        ++opened.done;
      } catch (const std::exception& error) {
        opened.fail("open", error);
      }
  });
  while (seconds_since(begin) < seconds) try {
      auto simulation = mote::load("plummer", {{"n", "16384"}}, on_the_gpu());
      while (seconds_since(begin) < seconds) {
        simulation.set("gravity.softening", 0.01 + 1e-6 * static_cast<double>(changed.done % 100));
        simulation.step(1);
        ++changed.done;
      }
    } catch (const std::exception& error) {
      changed.fail("change", error);
    }
  over = true;
  other.join();
  std::printf("%ld changes, %ld failed; %ld simulations opened, %ld failed\n", changed.done.load(),
              changed.failed.load(), opened.done.load(), opened.failed.load());
  return changed.failed + opened.failed == 0 && changed.done > 0 && opened.done > 0 ? 0 : 1;
}

int share(int threads, double seconds) {
  std::vector<double> rates(static_cast<std::size_t>(threads));
  std::atomic<int> ready{0}, failed{0};
  std::vector<std::thread> all;
  for (int k = 0; k < threads; ++k)
    all.emplace_back([&, k] {
      try {
        auto simulation = mote::load("plummer", {{"n", "8192"}}, on_the_gpu());
        simulation.step(500);
        ++ready;
        while (ready + failed < threads) std::this_thread::yield();
        const auto begin = Clock::now();
        long steps = 0;
        for (; seconds_since(begin) < seconds; steps += 100) simulation.step(100);
        rates[static_cast<std::size_t>(k)] = static_cast<double>(steps) / seconds_since(begin);
      } catch (const std::exception& error) {
        ++failed;
        std::printf("thread %d: %s\n", k, error.what());
      }
    });
  for (std::thread& thread : all) thread.join();
  const auto [slowest, fastest] = std::minmax_element(rates.begin(), rates.end());
  double sum = 0;
  for (const double rate : rates) sum += rate;
  std::printf("%d threads: %.0f to %.0f steps/s each, %.0f in total, %d failed\n", threads,
              *slowest, *fastest, sum, failed.load());
  return failed == 0 && *fastest <= 2 * *slowest ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "open" && argc == 3) return open_concurrently(std::stod(argv[2]));
    if (what == "share" && argc == 4 && std::stoi(argv[2]) > 0)
      return share(std::stoi(argv[2]), std::stod(argv[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mote_threads: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: mote_threads open SECONDS | share THREADS SECONDS\n");
  return 2;
}

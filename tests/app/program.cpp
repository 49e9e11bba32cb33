#include "tests/app/program.h"
#include "engine/json.h"
#include "tests/support/places.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace mote::test {
namespace fs = std::filesystem;
using namespace std::chrono_literals;

const char* const binary_scene =
    R"(local distance = param("distance", 1.0, { min = 0.5, max = 4, unit = "length" })
return {
  title = "Binary",
  gravity = { softening = 0 },
  integrator = { "leapfrog", dt = 1 / 128 },
  bodies = {
    { name = "left", mass = 0.5, position = { -distance / 2, 0, 0 }, velocity = { 0, -0.5, 0 } },
    { name = "right", mass = 0.5, position = { distance / 2, 0, 0 }, velocity = { 0, 0.5, 0 } },
  },
  stop = { steps = 100 },
}
)";

namespace {

/// Runs in the child between fork and exec.
[[noreturn]] void become_mote(const Call& call) {
  if (!call.folder.empty() && ::chdir(call.folder.c_str()) != 0) ::_exit(126);
  // Most tests run without a display; those of windows request it.
  if (!call.display)
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) ::unsetenv(name);
  for (const auto& [name, value] : call.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (call.largest_file) {
    const rlimit limit{*call.largest_file, *call.largest_file};
    ::signal(SIGXFSZ, SIG_DFL);  // as shells leave it
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(126);
  }
  if (call.memory) {
    const rlimit limit{*call.memory, *call.memory};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(126);
  }
  const std::string program = test::program_path(), ranks = std::to_string(call.ranks);
  std::vector<char*> words{const_cast<char*>("mote")};
  if (call.ranks > 0)
    words = {const_cast<char*>(call.mpirun.c_str()), const_cast<char*>("-n"),
             const_cast<char*>(ranks.c_str()), const_cast<char*>(program.c_str())};
  for (const std::string& argument : call.arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ::execvp(call.ranks > 0 ? call.mpirun.c_str() : program.c_str(), words.data());
  ::_exit(127);
}

/// The same with files for its output.
[[noreturn]] void become_mote(const Call& call, const std::string& out, const std::string& err) {
  const auto redirect = [](const std::string& path, int descriptor) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
  };
  redirect("/dev/null", STDIN_FILENO);
  redirect(out, STDOUT_FILENO);
  redirect(err, STDERR_FILENO);
  become_mote(call);
}

}  // namespace

Running::Running(const Call& call) {
  const std::string out = call.output.empty() ? output_.path() / "out" : call.output,
                    err = output_.path() / "err";
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("fork failed");
  if (process_ == 0) become_mote(call, out, err);
}

Running::~Running() {
  if (ended()) return;
  signal(SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void Running::signal(int number) const {
  ::kill(process_, number);
}

std::vector<pid_t> Running::children() const {
  std::vector<pid_t> found;
  const std::string name = std::to_string(process_);
  std::ifstream in("/proc/" + name + "/task/" + name + "/children");
  for (pid_t child = 0; in >> child;) found.push_back(child);
  return found;
}

bool Running::ended() {
  int status = 0;
  if (!code_ && ::waitpid(process_, &status, WNOHANG) == process_)
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return code_.has_value();
}

Result Running::wait() {
  const auto limit = std::chrono::steady_clock::now() + 240s;
  while (!ended() && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(2ms);
  if (!ended()) throw std::runtime_error("the program does not end");
  return {*code_, text_of(output_.path() / "out"), text_of(output_.path() / "err")};
}

Result run(const Call& call) {
  return Running(call).wait();
}

std::string no_terminals() {
  int terminal = -1, other = -1;
  if (::openpty(&terminal, &other, nullptr, nullptr, nullptr) != 0)
    return "the system gives no terminals (/dev/pts)";
  ::close(terminal), ::close(other);
  return "";
}

Result run_on_terminal(const Call& call) {
  int terminal = -1;
  winsize size{};
  size.ws_row = 24, size.ws_col = call.columns;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("forkpty failed");
  if (child == 0) become_mote(call);
  Result result;
  char bytes[4096];
  for (ssize_t n = 0; (n = ::read(terminal, bytes, sizeof bytes)) > 0;)
    result.out.append(bytes, static_cast<std::size_t>(n));
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return result;
}

Result mote(const fs::path& folder, const std::vector<std::string>& arguments) {
  return run({.arguments = arguments, .folder = folder});
}

Drawing drawing_here(const fs::path& folder) {
  Drawing drawing;
  const std::string doctor = mote(folder, {"doctor"}).out;
  for (const std::string& line : lines_of(doctor))
    if (line.starts_with("OpenGL       none")) drawing.missing = line;
  drawing.movies = doctor.find("\nffmpeg       found") != std::string::npos;
  return drawing;
}

bool appears(const fs::path& file, Running& running) {
  const auto limit = std::chrono::steady_clock::now() + 60s;
  while (!fs::exists(file) && !running.ended() && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(2ms);
  return fs::exists(file);
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

engine::Json json_of(const fs::path& file) {
  return engine::parse_json(text_of(file));
}

fs::path write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> names;
  if (fs::exists(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(folder));
  std::sort(names.begin(), names.end());
  return names;
}

std::string first_partial_file(const fs::path& folder) {
  for (const std::string& name : files_below(folder))
    if (name != ".lock" &&
        (fs::path(name).extension() == ".part" || fs::file_size(folder / name) == 0))
      return name;
  return "";
}

std::string hash_of(const fs::path& run_folder) {
  return json_of(run_folder / "run.json").at("state_hash").get<std::string>();
}

}  // namespace mote::test

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include "app/commands/commands.h"
#include "app/headless.h"
#include "app/scenes.h"
#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/log.h"
#include "engine/machine.h"
#include "engine/text.h"

namespace mote::app {
namespace {

std::string nearest_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return word.starts_with("-") ? "" : engine::closest(word, names);
}

/// `mote` and `mote SCENE` mean `mote view [SCENE]`.
CommandLine with_command(CommandLine words, const CLI::App& program) {
  if (words.size() > 1) {
    const std::string& first = words[1];
    if (first == "-h" || first == "--help" || first == "-V" || first == "--version" ||
        find_command(program, first))
      return words;
    // A command is likelier to be misspelt than a scene to have no folder and no ending.
    if (const std::string near = nearest_command(program, first); !near.empty() && !is_scene(first))
      throw engine::InputError(first, "no such command or scene",
                               "did you mean 'mote " + near + "'?");
  }
  words.insert(words.begin() + 1, "view");
  return words;
}

/// What is meant by an option that other programs have, or that is a parameter of the scene; ""
/// when there is none.
std::string meant_by(const CLI::App& command, const CommandLine& words, std::size_t at) {
  const std::string& word = words[at];
  if (word == "-v") return "did you mean 'mote -V', the version?";
  const bool runs = command.get_option_no_throw("--set") != nullptr;
  if (!runs || word.starts_with("---")) return "";
  if (word == "--dry-run")
    return "`mote check SCENE` does what comes before the first step, and writes nothing";
  const std::size_t begin = word.find_first_not_of('-'), equals = word.find('=');
  if (begin == word.npos || equals < begin) return "";
  const std::string name = word.substr(begin, equals == word.npos ? word.npos : equals - begin);
  const bool is_name = !name.empty() && name.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyz_0123456789.") == name.npos;
  const std::string value = equals != word.npos ? word.substr(equals + 1)
                            : at + 1 < words.size() && !words[at + 1].starts_with("-")
                                ? words[at + 1]
                                : "";
  return is_name && !value.empty() ? "did you mean --set " + name + "=" + value + "?" : "";
}

/// What is wrong with the options, in the words of all other messages.
std::string usage_problem(const CLI::App& program, const CommandLine& given,
                          const CLI::ParseError& error) {
  const auto used = program.get_subcommands();
  const CLI::App& command = used.empty() ? program : *used.front();
  const std::string help = used.empty()
                               ? "`mote help` lists the commands"
                               : "`mote help " + command.get_name() + "` lists the options";
  const std::vector<std::string> extra = program.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || extra.empty())
    return std::string(error.what()) + "; " + help;
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (std::size_t i = 0; i < extra.size(); ++i) {
    const std::string& word = extra[i];
    if (!word.starts_with("-")) continue;
    const std::string near = engine::closest(word.substr(0, word.find('=')), options);
    const std::string meant =
        near.empty()
            ? meant_by(command, given, std::find(given.begin(), given.end(), word) - given.begin())
            : "did you mean '" + near + "'?";
    return word + ": unknown option; " + (meant.empty() ? help : meant);
  }
  return extra.front() + ": one argument too many; " + help;
}

int run_program(int count, char** arguments) {
  CLI::App program(
      "mote: a particle-physics engine\n"
      "mote SCENE watches a scene, mote run SCENE runs it without a window.");
  program.name("mote");
  program.require_subcommand(1);
  program.set_version_flag("-V,--version", "mote " + engine::build_info().version);
  program.footer(
      "`mote help COMMAND` lists the options of a command, `mote list` the scenes that come with "
      "mote.\n"
      "Exit codes: 0 done; 1 failed (files, device, memory); 2 wrong options or scene; 3 the "
      "simulation "
      "became unhealthy, or a hook failed; 4 different (mote diff); 130 interrupted.");
  const CommandLine given(arguments, arguments + count);
  int exit_code = 0;
  add_view(program, given, exit_code);
  add_run(program, given, exit_code);
  add_resume(program, given, exit_code);
  add_verify(program, exit_code);
  add_sweep(program, given, exit_code);
  add_sweep_worker(program, given, exit_code);
  add_check(program, exit_code);
  add_new(program);
  add_list(program);
  add_schema(program);
  add_doctor(program);
  add_bench(program, exit_code);
  add_selftest(program, exit_code);
  add_info(program);
  add_diff(program, exit_code);
  add_export(program);
  add_plot(program);
  add_render(program);
  add_help(program);
  const CommandLine words = with_command(given, program);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    program.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return program.exit(e);
    fmt::print(stderr, "{}\n", usage_problem(program, words, e));
    return 2;
  }
  return exit_code;
}

/// Says what went wrong; the exit code.
int say_why(const std::exception_ptr& problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const RunFailed& e) {
    const int code = say_why(e.cause());
    fmt::print(stderr, "mote: {}\n", e.remedy());
    return code;
  } catch (const engine::InputError& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  } catch (const engine::SystemError& e) {
    fmt::print(stderr, "mote: {}\n", e.what());
    engine::log().debug("thrown at {}:{}", e.file(), e.line());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "mote: out of memory; use fewer bodies, or close other programs\n");
  } catch (const std::filesystem::filesystem_error& e) {
    fmt::print(stderr, "mote: {}\n", e.what());
  } catch (const std::system_error& e) {
    if (e.code() == std::errc::resource_unavailable_try_again)
      fmt::print(stderr,
                 "mote: start a thread: {}; close other programs, or raise the limits (ulimit)\n",
                 e.what());
    else if (std::ferror(stdout) == 0)  // else it is said at the end
      fmt::print(stderr, "mote: unexpected: {}\n", e.what());
  } catch (const std::exception& e) {
    fmt::print(stderr, "mote: unexpected: {}\n", e.what());
  }
  return 1;
}

/// What was printed may not have arrived. Why is not known any more when it was an earlier line.
int with_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fputs(
      "mote: write to standard output: the disk is full, or the program that reads it has ended; "
      "what was "
      "printed is not whole\n",
      stderr);
  return code == 0 ? 1 : code;
}

}  // namespace
}  // namespace mote::app

int main(int count, char** arguments) {
  using namespace mote;
  // A file that may not grow is then an error of the write, with a line and an exit code.
  std::signal(SIGXFSZ, SIG_IGN);
  engine::restart_with_short_waits(arguments);
  engine::log_to_terminal(false);
  int code = 0;
  try {
    code = app::run_program(count, arguments);
  } catch (...) {
    code = app::say_why(std::current_exception());
  }
  return app::with_output(code);
}

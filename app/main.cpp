#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>

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
    if (first == "-h" || first == "--help" || first == "--version" || find_command(program, first))
      return words;
    // A command is likelier to be misspelt than a scene to have no folder and no ending.
    if (const std::string near = nearest_command(program, first); !near.empty() && !is_scene(first))
      throw engine::InputError(first, "no such command or scene", "did you mean 'mote " + near + "'?");
  }
  words.insert(words.begin() + 1, "view");
  return words;
}

/// What is wrong with the options, in the words of all other messages.
std::string usage_problem(const CLI::App& program, const CLI::ParseError& error) {
  const auto used = program.get_subcommands();
  const CLI::App& command = used.empty() ? program : *used.front();
  const std::string help = used.empty() ? "`mote help` lists the commands"
                                        : "`mote help " + command.get_name() + "` lists the options";
  const std::vector<std::string> extra = program.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || extra.empty())
    return std::string(error.what()) + "; " + help;
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (const std::string& word : extra) {
    if (!word.starts_with("-")) continue;
    const std::string near = engine::closest(word.substr(0, word.find('=')), options);
    return word + ": unknown option; " + (near.empty() ? help : "did you mean '" + near + "'?");
  }
  return extra.front() + ": one argument too many; " + help;
}

int run_program(int count, char** arguments) {
  CLI::App program(
      "mote: a particle-physics engine\n"
      "mote SCENE watches a scene, mote run SCENE runs it without a window.");
  program.name("mote");
  program.require_subcommand(1);
  program.set_version_flag("--version", "mote " + engine::build_info().version);
  program.footer(
      "`mote help COMMAND` lists the options of a command, `mote list` the scenes that come with mote.\n"
      "Exit codes: 0 done; 1 failed (files, device, memory); 2 wrong options or scene; 3 the simulation "
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
    fmt::print(stderr, "{}\n", usage_problem(program, e));
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
  } catch (const std::exception& e) {
    fmt::print(stderr, "mote: unexpected: {}\n", e.what());
  }
  return 1;
}

}  // namespace
}  // namespace mote::app

int main(int count, char** arguments) {
  using namespace mote;
  engine::restart_with_short_waits(arguments);
  engine::log_to_terminal(false);
  try {
    return app::run_program(count, arguments);
  } catch (...) {
    return app::say_why(std::current_exception());
  }
}

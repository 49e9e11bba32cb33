#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>

#include "app/commands/commands.h"
#include "engine/check.h"
#include "engine/log.h"
#include "engine/machine.h"

namespace mote::app {
namespace {

/// `mote` and `mote SCENE` mean `mote view [SCENE]`.
CommandLine with_command(CommandLine words, const CLI::App& program) {
  const bool has_command =
      words.size() > 1 && (words[1].starts_with("-") || find_command(program, words[1]) != nullptr);
  // Options alone are those of the view, but for the program's own.
  const bool own = words.size() > 1 && (words[1] == "-h" || words[1] == "--help" || words[1] == "--version");
  if (words.size() == 1 || !has_command || (words[1].starts_with("-") && !own))
    words.insert(words.begin() + 1, "view");
  return words;
}

int run_program(int count, char** arguments) {
  CLI::App program("mote: a particle-physics engine\nmote SCENE watches a scene, mote run SCENE runs it without a window.");
  program.name("mote");
  program.require_subcommand(1);
  program.set_version_flag("--version", "mote " + engine::build_info().version);
  const CommandLine given(arguments, arguments + count);
  int exit_code = 0;
  add_view(program, given, exit_code);
  add_run(program, given, exit_code);
  add_check(program, exit_code);
  add_list(program);
  add_schema(program);
  add_doctor(program);
  add_help(program);
  CommandLine words = with_command(given, program);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    program.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::ParseError& e) {
    return program.exit(e) == 0 ? 0 : 2;
  }
  return exit_code;
}

}  // namespace
}  // namespace mote::app

int main(int count, char** arguments) {
  using namespace mote;
  engine::log_to_terminal(false);
  try {
    return app::run_program(count, arguments);
  } catch (const engine::InputError& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  } catch (const engine::SystemError& e) {
    fmt::print(stderr, "mote: {}\n", e.what());
    engine::log().debug("thrown at {}:{}", e.where().file_name(), e.where().line());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "mote: out of memory; use fewer bodies, or close other programs\n");
  } catch (const std::filesystem::filesystem_error& e) {
    fmt::print(stderr, "mote: {}\n", e.what());
  } catch (const std::exception& e) {
    fmt::print(stderr, "mote: unexpected: {}\n", e.what());
  }
  return 1;
}

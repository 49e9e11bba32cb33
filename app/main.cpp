#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include "app/commands/commands.h"
#include "app/commands/help_text.h"
#include "app/commands/meant.h"
#include "app/run/headless.h"
#include "app/run/processes.h"
#include "app/scenes.h"
#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/log.h"
#include "engine/machine.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace {

void print_error(const std::string& text) {
  engine::print(stderr, "{}\n", engine::styled(engine::Style::error, text, stderr));
}

std::string nearest_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(program)) names.push_back(command->get_name());
  return word.starts_with("-") ? "" : engine::closest(word, names);
}

/// `mote` and `mote SCENE` mean `mote view [SCENE]`.
CommandLine with_command(CommandLine words, const CLI::App& program) {
  if (words.size() > 1) {
    const std::string& first = words[1];
    if (first == "-h" || first == "--help" || first == "-V" || first == "--version" ||
        find_command(program, first))
      return words;
    // A misspelt command is more likely than a scene without folder and extension.
    if (const std::string suggestion = nearest_command(program, first);
        !suggestion.empty() && !is_scene(first))
      throw engine::InputError(first, "no such command or scene",
                               "did you mean 'mote " + suggestion + "'?");
    // A scene is followed by options alone.
    if (words.size() > 2 && !first.starts_with("-") && !words[2].starts_with("-") &&
        !is_scene(first))
      throw engine::InputError(first, "no such command", "`mote help` lists the commands");
  }
  words.insert(words.begin() + 1, "view");
  return words;
}

/// The parse error in the style of all other messages.
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
  for (const std::string& word : extra) {
    if (!word.starts_with("-")) continue;
    const auto at =
        static_cast<std::size_t>(std::find(given.begin(), given.end(), word) - given.begin());
    const std::string meant =
        at < given.size() ? option_meant(program, command, given, at) : std::string();
    return word + ": unknown option; " + (meant.empty() ? help : meant);
  }
  return extra.front() + ": unexpected argument; " + help;
}

/// Puts the commands that were added since the last call under one title of the help.
void end_group(CLI::App& program, const std::string& title) {
  for (CLI::App* command : program.get_subcommands([](CLI::App*) { return true; }))
    if (command->get_group() == "Subcommands") command->group(title);
}

int run_program(int count, char** arguments) {
  CLI::App program(
      "mote: a particle-physics engine\n"
      "mote SCENE shows a scene in a window, mote run SCENE runs it without one.");
  program.name("mote");
  program.require_subcommand(1);
  program.set_help_flag("-h,--help", "show this help");
  program.set_version_flag("-V,--version", "mote " + engine::build_info().version,
                           "show the version");
  program.footer(
      "Exit codes: 0 done; 1 failed (files, device, memory); 2 wrong options or scene; 3 the "
      "simulation became unhealthy, or a hook failed; 4 different (mote diff); 130 interrupted.");
  const CommandLine given(arguments, arguments + count);
  int exit_code = 0;
  add_view(program, given, exit_code);
  add_run(program, given, exit_code);
  add_sweep(program, given, exit_code);
  add_sweep_worker(program, given, exit_code);
  add_resume(program, given, exit_code);
  add_verify(program, exit_code);
  end_group(program, "Simulating");
  add_list(program);
  add_new(program);
  add_check(program, exit_code);
  add_schema(program);
  end_group(program, "Scenes");
  add_runs(program);
  add_info(program);
  add_plot(program);
  add_render(program);
  add_export(program);
  add_diff(program, exit_code);
  end_group(program, "Results");
  add_doctor(program);
  add_mpi(program);
  add_selftest(program, exit_code);
  add_bench(program, exit_code);
  end_group(program, "This machine");
  add_help(program);
  add_completion(program);
  end_group(program, "Help");
  if (given.size() > 1 && given[1] == "__complete") {
    complete(program, {given.begin() + 2, given.end()});
    return 0;
  }
  const CommandLine words = with_command(given, program);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    program.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::CallForHelp&) {
    const auto used = program.get_subcommands();
    print_help(help_page(program, used.empty() ? program : *used.front()));
    return 0;
  } catch (const CLI::CallForVersion& e) {
    return program.exit(e);
  } catch (const CLI::ParseError& e) {
    print_error(usage_problem(program, words, e));
    return 2;
  }
  return exit_code;
}

/// Prints the error and returns the exit code.
int report_error(const std::exception_ptr& problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const RunFailed& e) {
    const int code = report_error(e.cause());
    engine::print(stderr, "mote: {}\n", e.remedy());
    return code;
  } catch (const engine::InputError& e) {
    print_error(e.what());
    return 2;
  } catch (const engine::SystemError& e) {
    print_error(std::string("mote: ") + e.what());
    engine::log().debug("thrown at {}:{}", e.file(), e.line());
  } catch (const std::bad_alloc&) {
    engine::print(stderr, "mote: out of memory; use fewer bodies, or close other programs\n");
  } catch (const std::filesystem::filesystem_error& e) {
    print_error(std::string("mote: ") + e.what());
  } catch (const std::system_error& e) {
    if (e.code() == std::errc::resource_unavailable_try_again)
      print_error(std::string("mote: cannot start a thread: ") + e.what() +
                  "; close other programs, or raise the limits (ulimit)");
    else if (std::ferror(stdout) == 0)  // otherwise check_output reports it
      print_error(std::string("mote: unexpected: ") + e.what());
  } catch (const std::exception& e) {
    print_error(std::string("mote: unexpected: ") + e.what());
  }
  return 1;
}

/// Reports output that was lost. The cause is unknown if an earlier line failed.
int check_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  engine::print(
      stderr,
      "mote: cannot write to standard output: the disk is full, or the program that reads it has "
      "ended; the output is incomplete\n");
  return code == 0 ? 1 : code;
}

}  // namespace
}  // namespace mote::app

int main(int count, char** arguments) {
  using namespace mote;
  // A write beyond the file size limit then fails with a message and an exit code.
  std::signal(SIGXFSZ, SIG_IGN);
  engine::log_to_terminal(false);
  int code = 0;
  try {
    code = app::run_program(count, arguments);
  } catch (...) {
    code = app::report_error(std::current_exception());
  }
  code = app::check_output(code);
  app::end_processes(code);
  return code;
}

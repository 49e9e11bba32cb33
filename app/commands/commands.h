#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace mote::app {

/// The arguments of `main`, which run.json records.
using CommandLine = std::vector<std::string>;

/// The command of this name, or null.
const CLI::App* find_command(const CLI::App& program, const std::string& name);

/// The topics of `mote help`: commands, and tables and keys of scenes.
std::vector<std::string> help_topics(const CLI::App& program);

/// Prints what the last of these words, which follow `mote`, may become: for the scripts that `mote
/// completion` prints.
void complete(const CLI::App& program, std::vector<std::string> words);

/// Each adds one command to the program. Commands return through `exit_code` and throw errors.
void add_run(CLI::App& program, const CommandLine& line, int& exit_code);
void add_resume(CLI::App& program, const CommandLine& line, int& exit_code);
void add_verify(CLI::App& program, int& exit_code);
void add_view(CLI::App& program, const CommandLine& line, int& exit_code);
void add_sweep(CLI::App& program, const CommandLine& line, int& exit_code);
/// A worker process of `sweep`.
void add_sweep_worker(CLI::App& program, const CommandLine& line, int& exit_code);
void add_check(CLI::App& program, int& exit_code);
void add_new(CLI::App& program);
void add_list(CLI::App& program);
void add_schema(CLI::App& program);
void add_doctor(CLI::App& program);
void add_mpi(CLI::App& program);
void add_bench(CLI::App& program, int& exit_code);
void add_selftest(CLI::App& program, int& exit_code);
void add_export(CLI::App& program);
void add_diff(CLI::App& program, int& exit_code);
void add_runs(CLI::App& program);
void add_info(CLI::App& program);
void add_plot(CLI::App& program);
void add_render(CLI::App& program);
void add_completion(CLI::App& program);
void add_help(CLI::App& program);

}  // namespace mote::app

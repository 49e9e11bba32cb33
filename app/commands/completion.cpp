#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>

#include "app/commands/commands.h"
#include "engine/terminal.h"

namespace mote::app {
namespace {

// The scripts know nothing of mote's options: they ask `mote __complete`, which prints a candidate
// and its meaning in each line, and `:files` or `:folders` where the shell has to add those.

/// Bash splits words at = and :, so the script splits the line itself, and cuts what bash has
/// already taken off the candidates.
constexpr const char* bash = R"(# Completion of mote for bash. Written by `mote completion bash`.
_mote() {
  local line=${COMP_LINE:0:COMP_POINT} words word candidate kind
  read -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=${words[${#words[@]} - 1]}
  local value=$word before=""
  [[ $word == -*=* ]] && value=${word#*=}
  [[ $word == *[=:]* ]] && before=${word%"${word##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    candidate=${line%%$'\t'*}
    case $line in
      :files | :folders)
        compopt -o filenames
        [[ $line == :files ]] && kind=-f || kind=-d
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen $kind -- "$value") ;;
      *)
        candidate=${candidate#"$before"}
        # Text of a scene: nothing of it may be executed.
        [[ $candidate == *[!A-Za-z0-9_./=:,+-]* ]] && printf -v candidate %q "$candidate"
        COMPREPLY+=("$candidate") ;;
    esac
  done < <("${1/#\~/$HOME}" __complete "${words[@]:1}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -F _mote mote
)";

constexpr const char* zsh = R"(#compdef mote
# Completion of mote for zsh. Written by `mote completion zsh`.
_mote() {
  local line candidate meaning ret=1
  local program=${~${(Q)words[1]}}
  local -a before=("${(@Q)words[2,CURRENT-1]}")
  local -a plain plain_shown open open_shown
  for line in "${(@f)$($program __complete "${(@)before}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    candidate=${line%%$'\t'*} meaning=${line#*$'\t'}
    [[ -n $meaning ]] && meaning="$candidate  -- $meaning" || meaning=$candidate
    case $line in
      "") ;;
      :files) compset -P '-*='; _files && ret=0 ;;
      :folders) compset -P '-*='; _files -/ && ret=0 ;;
      *=$'\t'*) open+=("$candidate") open_shown+=("$meaning") ;;
      *) plain+=("$candidate") plain_shown+=("$meaning") ;;
    esac
  done
  (( $#open )) && compadd -l -S '' -d open_shown -a open && ret=0
  (( $#plain )) && compadd -l -d plain_shown -a plain && ret=0
  return ret
}
if [[ $funcstack[1] == _mote ]]; then _mote "$@"; else compdef _mote mote; fi
)";

constexpr const char* fish = R"(# Completion of mote for fish. Written by `mote completion fish`.
function __mote_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  set -l option (string match -r -- '^-[^=]*=' $word)
  set -l value (string replace -r -- '^-[^=]*=' '' $word)
  for line in ($words[1] __complete $words[2..-1] "$word" 2>/dev/null)
    switch $line
      case :files
        for path in (__fish_complete_path "$value"); echo "$option$path"; end
      case :folders
        for path in (__fish_complete_directories "$value"); echo "$option$path"; end
      case '*'
        echo $line
    end
  end
end
complete -c mote -f -a '(__mote_complete)'
)";

}  // namespace

void add_completion(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "completion", "print what makes a shell complete commands, options, scenes and parameters");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "the shell: bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->required();
  command->footer(
      "For one shell: source <(mote completion bash), in fish: mote completion fish | source. "
      "For all: write it to ~/.local/share/bash-completion/completions/mote, "
      "~/.config/fish/completions/mote.fish, or a file _mote in a folder of zsh's fpath. "
      "Installed packages need neither.");
  command->callback([shell] {
    engine::print("{}", *shell == "bash" ? bash : *shell == "zsh" ? zsh : fish);
  });
}

}  // namespace mote::app

import type { Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The words that may follow a command. */
export interface Completions {
  /** Subcommands, arguments and options. */
  readonly words: readonly string[];
  /** The values of each option that takes one; none if any value is possible, such as a file. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** Keyed by the path of the command; the path of the program is empty. */
export type Grammar = Readonly<Record<string, Completions>>;

export function grammarOf(command: Command, path: readonly string[] = []): Grammar {
  const options = [command, ...ancestorsOf(command)].flatMap((one) => one.options);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const names = command.commands.map((sub) => sub.name());
  const completions: Completions = {
    words: [...names, ...choices, ...options.flatMap(({ long }) => (long ? [long] : []))],
    values: Object.fromEntries(options.flatMap(valuesOf)),
  };
  return Object.fromEntries([
    [path.join(' '), completions],
    ...command.commands.flatMap((sub) => Object.entries(grammarOf(sub, [...path, sub.name()]))),
  ]);
}

/** The options of the program are options of every command. */
function ancestorsOf({ parent }: Command): readonly Command[] {
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}

function valuesOf({ long, required, argChoices = [] }: Option): [string, readonly string[]][] {
  return long && required ? [[long, argChoices]] : [];
}

/** Completes from the preceding words: subcommands, options and their values, or file names where nothing else fits. */
export function completionScript(shell: Shell, grammar: Grammar): string {
  return shell === 'fish' ? fishScript(grammar) : `${PREPARE[shell]}${bashScript(grammar)}`;
}

/** zsh runs the script for bash, once its own completion is enabled. */
const PREPARE = {
  bash: '',
  zsh: `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
autoload -Uz bashcompinit && bashcompinit
`,
} as const;

const commandsOf = (grammar: Grammar) => Object.keys(grammar).filter((path) => path !== '');

/** Each option of a command that takes a value, with the values. */
const optionsOf = (grammar: Grammar) =>
  Object.entries(grammar).flatMap(([path, { values }]) =>
    Object.entries(values).map(([option, choices]) => ({ place: `${path} ${option}`, choices })),
  );

/** In zsh, `path` is the search path for programs, so no variable may have this name. */
function bashScript(grammar: Grammar): string {
  const cases = Object.entries(grammar).map(
    ([path, { words }]) => `    "${path}") words="${words.join(' ')}" ;;`,
  );
  const values = optionsOf(grammar).map(
    ({ place, choices }) => `    "${place}") words="${choices.join(' ')}" ;;`,
  );
  return `_postrider() {
  local place="" words="" word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "\${place:+$place }$word" in
      ${commandsOf(grammar)
        .map((path) => `"${path}"`)
        .join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  case "$place \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _postrider postrider`;
}

function fishScript(grammar: Grammar): string {
  const cases = Object.entries(grammar).map(
    ([path, { words }]) => `    case '${path}'\n      printf '%s\\n' ${words.join(' ')}`,
  );
  const values = optionsOf(grammar).map(({ place, choices }) => {
    const print = choices.length === 0 ? '__fish_complete_path (commandline -ct)' : '';
    return `    case '${place}'\n      ${print || `printf '%s\\n' ${choices.join(' ')}`}\n      return`;
  });
  return `function __postrider_words
  set -l before (commandline -opc)
  set -l place ''
  for word in $before[2..-1]
    set -l next (string trim -- "$place $word")
    contains -- $next ${commandsOf(grammar)
      .map((path) => `'${path}'`)
      .join(' ')}; and set place $next
  end
  switch "$place $before[-1]"
${values.join('\n')}
  end
  switch "$place"
${cases.join('\n')}
  end
end
complete -c postrider -f -a '(__postrider_words)'`;
}

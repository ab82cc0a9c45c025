import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What may follow a command, by its path; the path of the program is empty. */
export type Words = Readonly<Record<string, readonly string[]>>;

export function wordsOf(command: Command, path: readonly string[] = []): Words {
  const options = [command, ...ancestorsOf(command)].flatMap((one) => one.options);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const names = command.commands.map((sub) => sub.name());
  return Object.fromEntries([
    [path.join(' '), [...names, ...choices, ...options.flatMap(({ long }) => (long ? [long] : []))]],
    ...command.commands.flatMap((sub) => Object.entries(wordsOf(sub, [...path, sub.name()]))),
  ]);
}

/** The options of the program are options of every command. */
function ancestorsOf({ parent }: Command): readonly Command[] {
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}

/** Completes subcommands and options by the words before. */
export function completionScript(shell: Shell, words: Words): string {
  return shell === 'fish' ? fishScript(words) : `${ZSH[shell]}${bashScript(words)}`;
}

const ZSH = { bash: '', zsh: 'autoload -U +X bashcompinit && bashcompinit\n' } as const;

function bashScript(words: Words): string {
  const cases = Object.entries(words).map(([path, next]) => `    "${path}") words="${next.join(' ')}" ;;`);
  const commands = Object.keys(words).filter((path) => path !== '');
  return `_postrider() {
  local path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${commands.map((path) => `"${path}"`).join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _postrider postrider`;
}

function fishScript(words: Words): string {
  const lines = Object.entries(words).map(([path, next]) => {
    const condition =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ');
    return `complete -c postrider -n '${condition}' -a '${next.join(' ')}'`;
  });
  return ['complete -c postrider -f', ...lines].join('\n');
}

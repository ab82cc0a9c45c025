/** A block of a page whose commands are run: `sh session` without its output, `console session` with it. */
export interface Block {
  /** Index of the first line after the opening fence, and of the closing one. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'sh' | 'console';
  readonly commands: readonly string[];
  /** The command runs on from when its output has this text; null for one that ends without being stopped. */
  readonly ready: string | null;
  /** Its output ends with the line that has this text. */
  readonly until: string | null;
  /** Whether the last command is run again until it prints that text. */
  readonly repeats: boolean;
}

const FENCE = /^```(sh|console) session(?: (.*))?$/;

/** The blocks of a page that a session records, in order. */
export function parsePage(page: string): readonly Block[] {
  const lines = page.split('\n');
  return lines.flatMap((line, index): Block[] => {
    const [, kind, attributes = ''] = FENCE.exec(line) ?? [];
    if (kind === undefined) return [];
    const start = index + 1;
    const end = lines.indexOf('```', start);
    if (end === -1) throw new Error(`the block at line ${start} has no end`);
    const body = lines.slice(start, end);
    const commands = kind === 'sh' ? [body.join('\n')] : commandsOf(body);
    return [{ start, end, kind: kind as Block['kind'], commands, ...attributesOf(attributes) }];
  });
}

function attributesOf(text: string): Pick<Block, 'ready' | 'until' | 'repeats'> {
  const attribute = (name: string) => new RegExp(`(?:^| )${name}="([^"]+)"`).exec(text)?.[1] ?? null;
  return { ready: attribute('ready'), until: attribute('until'), repeats: /(?:^| )repeat(?: |$)/.test(text) };
}

/** Each command with the lines that continue it. */
function commandsOf(lines: readonly string[]): readonly string[] {
  const commands: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('$ ')) commands.push(line.slice(2));
    else if (lines[index - 1]?.endsWith('\\')) commands.push(`${commands.pop()}\n${line}`);
  }
  return commands;
}

/** The page with other lines in one of its blocks for each list of outputs, one output for each command. */
export function replaceOutputs(page: string, recorded: ReadonlyMap<Block, readonly string[]>): string {
  const lines = page.split('\n');
  for (const [{ start, end, commands }, outputs] of [...recorded].toReversed()) {
    const body = commands.flatMap((command, index) => [
      ...`$ ${command}`.split('\n'),
      ...(outputs[index] ?? '').split('\n').filter((line, at, all) => line !== '' || at < all.length - 1),
    ]);
    lines.splice(start, end - start, ...body);
  }
  return lines.join('\n');
}

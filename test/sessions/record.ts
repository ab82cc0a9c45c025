import { setTimeout as sleep } from 'node:timers/promises';
import type { ExampleValues } from './example-values.js';
import { type Block, parsePage, replaceOutputs } from './parse-page.js';
import type { Running, Shell } from './shell.js';

interface Recorder {
  readonly shell: Shell;
  readonly values: ExampleValues;
  /** Starts a command that runs until it is stopped. */
  readonly start: (command: string) => Running;
}

const REPEAT_EVERY_MS = 500;
const REPEATS = 120;

/** Runs the sessions of a page in order. @returns the page with what they print now */
export async function recordPage(page: string, recorder: Recorder): Promise<string> {
  const { values } = recorder;
  const recorded = new Map<Block, readonly string[]>();
  const running: { readonly block: Block; readonly command: Running }[] = [];
  for (const block of parsePage(page)) {
    if (block.ready === null) {
      const outputs = await runBlock(block, recorder);
      if (block.kind === 'console') recorded.set(block, outputs);
      continue;
    }
    const command = recorder.start(values.use(block.commands.join('\n')));
    await command.until(block.ready);
    running.push({ block, command });
    // Ids get their examples in the order of the page.
    recorded.set(block, [values.show(command.output())]);
  }
  for (const { block, command } of running) {
    await command.until(block.until ?? '');
    recorded.set(block, [cutAfter(values.show(command.output()), block.until)]);
  }
  return replaceOutputs(page, recorded);
}

async function runBlock(
  { commands, until, repeats }: Block,
  { shell, values }: Recorder,
): Promise<readonly string[]> {
  const outputs: string[] = [];
  for (const [index, command] of commands.entries()) {
    const wanted = index === commands.length - 1 ? until : null;
    const run = () => shell.run(values.use(command), repeats ? null : wanted);
    const output = repeats && wanted !== null ? await repeatUntil(run, wanted) : await run();
    outputs.push(cutAfter(values.show(output), wanted));
  }
  return outputs;
}

async function repeatUntil(run: () => Promise<string>, wanted: string): Promise<string> {
  for (let n = 0; n < REPEATS; n += 1) {
    const output = await run();
    if (output.includes(wanted)) return output;
    await sleep(REPEAT_EVERY_MS);
  }
  throw new Error(`no repetition printed "${wanted}": ${await run()}`);
}

/** Lines of npm and of the demo's receiver come at any time, and are left out. */
function cutAfter(output: string, until: string | null): string {
  const lines = output.split('\n').filter((line) => !/^(?:> |\[|npm )/.test(line));
  const last = until === null ? lines.length : lines.findIndex((line) => line.includes(until));
  return lines
    .slice(0, last + 1)
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

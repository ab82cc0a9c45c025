/** Replaces what differs from run to run by examples, and in commands the examples by what they stand for. */
export interface ExampleValues {
  /** Output as the page shows it. */
  show(output: string): string;
  /** A command as it has to be run. */
  use(command: string): string;
}

const ID = /\b(?:ws|mem|tok|whe|whd|evt|rpl|chk|aud)_[0-9a-z]{26}\b/g;
const ESC = String.fromCharCode(27);
/** The cursor goes back to the start of the line, which is then written again. */
const REWRITE = new RegExp(`${ESC}\\[\\d*G`, 'g');
const ESCAPES = new RegExp(`${ESC}(?:\\[[0-9;?]*[A-Za-z]|[78])`, 'g');
const TIME = '2026-03-01T12:00:00.000Z';

const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, TIME],
  [/\b\d\d:\d\d:\d\d\.\d{3}\b(?!Z)/g, '12:00:00.000'],
  [/\b\d+ ms\b/g, '12 ms'],
  [/(?<=127\.0\.0\.1:)\d{5}\b/g, '40000'],
  [/^ *\d+\.\d s {2}/gm, '   … s  '],
  [/^( +)(\d+)\. \+\d+ s/gm, '$1$2. +… s'],
  [/\bwhsec_[\w+/=]+/g, 'whsec_…'],
  [/\bprt_[\w-]+/g, 'prt_…'],
  [/\b[0-9a-f]{32}\b/g, '0af7651916cd43dd8448eb211c80319c'],
];

/** @param fixed pairs of an example and what it stands for, such as addresses */
export function createExampleValues(
  fixed: readonly (readonly [example: string, real: string])[],
): ExampleValues {
  const pairs = [...fixed];
  const counts = new Map<string, number>();
  const exampleOf = (id: string): string => {
    const known = pairs.find(([, real]) => real === id);
    if (known !== undefined) return known[0];
    const kind = id.slice(0, id.indexOf('_'));
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const example = `${kind}_01krzmb7g0${String(count).padStart(16, '0')}`;
    pairs.push([example, id]);
    return example;
  };
  return {
    show(output) {
      const lines = output
        .replaceAll('\r\n', '\n')
        .replaceAll(REWRITE, '\r')
        .replaceAll(ESCAPES, '')
        .split('\n');
      const plain = lines.map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd()).join('\n');
      const named = fixed.reduce((text, [example, real]) => text.replaceAll(real, example), plain);
      return VARIABLE.reduce((text, [found, example]) => text.replace(found, example), named).replace(
        ID,
        exampleOf,
      );
    },
    use: (command) => pairs.reduce((text, [example, real]) => text.replaceAll(example, real), command),
  };
}

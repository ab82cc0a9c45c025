import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createExampleValues } from './example-values.js';
import { PAGES } from './pages.js';
import { parsePage, replaceOutputs } from './parse-page.js';

const ROOT = new URL('../../../', import.meta.url);
const read = (page: string) => readFileSync(new URL(page, ROOT), 'utf8');
const pages = readdirSync(new URL('docs', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
  .map((path) => `docs/${path}`)
  .concat('README.md', 'cli/README.md', 'client/README.md');

describe('terminal sessions of the documentation', () => {
  it('are all recorded: each block with output is one of a recorded page', () => {
    const others = pages.filter((page) => {
      const consoles = read(page).match(/^```console\b/gm)?.length ?? 0;
      const recorded = PAGES.includes(page as never)
        ? parsePage(read(page)).filter(({ kind }) => kind === 'console').length
        : 0;
      return consoles !== recorded;
    });
    expect(others).to.deep.equal([]);
    expect(pages.filter((page) => /^```(?:sh|bash|shell|text)\n\$ /m.test(read(page)))).to.deep.equal([]);
  });

  it('have output, with examples in place of what differs from run to run', () => {
    for (const page of PAGES) {
      const lines = read(page).split('\n');
      for (const { start, end, kind, commands } of parsePage(read(page))) {
        if (kind === 'sh') continue;
        const shown = lines.slice(start, end).join('\n');
        expect(shown.split('\n').length, `${page}: ${commands}`).to.be.greaterThan(commands.length);
        expect(
          createExampleValues([])
            .show(shown)
            .replaceAll(/0{14,}\d+/g, ''),
        ).to.equal(shown.replaceAll(/0{14,}\d+/g, ''));
      }
    }
  });
});

describe('parsePage', () => {
  const page = [
    '```sh session',
    'a=1',
    '```',
    'text',
    '```console session repeat until="done"',
    '$ first \\',
    '  more',
    'old output',
    '$ second',
    '```',
    '```sh',
    'not run',
    '```',
  ].join('\n');
  const blocks = parsePage(page);

  it('finds the commands of the blocks of a session', () => {
    expect(blocks.map(({ kind, commands }) => [kind, commands])).to.deep.equal([
      ['sh', ['a=1']],
      ['console', ['first \\\n  more', 'second']],
    ]);
    expect(blocks[1]).to.include({ until: 'done', repeats: true, ready: null });
  });

  it('gives the place where outputs are written', () => {
    const now = replaceOutputs(page, new Map([[blocks[1]!, ['new', 'done']]]));
    expect(now).to.include('$ first \\\n  more\nnew\n$ second\ndone\n```').and.not.include('old output');
    const again = parsePage(now)[1]!;
    expect(replaceOutputs(now, new Map([[again, ['new', 'done']]]))).to.equal(now);
  });
});

describe('example values', () => {
  const id = `evt_${'0'.repeat(9)}1${'a'.repeat(16)}`;

  it('stand for ids in their order, in outputs and in commands', () => {
    const values = createExampleValues([['127.0.0.1:8080', '127.0.0.1:23456']]);
    const shown = values.show(`${id} at 127.0.0.1:23456 in 7 ms`);
    expect(shown).to.match(/^evt_01krzmb7g00+1 at 127\.0\.0\.1:8080 in 12 ms$/);
    expect(values.show(id)).to.equal(shown.split(' ')[0]);
    expect(values.use(`explain ${shown.split(' ')[0]}`)).to.equal(`explain ${id}`);
    expect(values.use('127.0.0.1:8080')).to.equal('127.0.0.1:23456');
  });

  it('replace times and secrets, and leave the last state of a line that was written again', () => {
    const values = createExampleValues([]);
    expect(values.show('whsec_abc/+= 2026-11-23T02:00:00.123Z')).to.equal('whsec_… 2026-03-01T12:00:00.000Z');
    expect(values.show('  1. +40 s  failed\r\n')).to.equal('  1. +… s  failed\n');
    expect(values.show('10 %\u001b[0G\u001b[0Kdone')).to.equal('done');
  });
});

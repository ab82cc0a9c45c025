import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '../..');
/** Figures of speech that the field has a standard word for: report, register, dead-letter, resume, no process. */
const BANNED_WORDS =
  /^(tell|tells|telling|told|teller|complain|complains|complained|surely|wishes|bury|buries|buried|burial|burials|nobody|somebody|everybody)$/;
const BANNED_PHRASES = /\b(go|goes|going|went) on\b/i;
const BANNED_IDENTIFIERS =
  /\b(goOn|standBack|promisingTransactions|dieBefore|DieBefore|lacksOf|Burial|Fate|Unsound|Workbench|LetGo|everyAnswer|hangUp|hungry|lookAgain|unlessLost|offerRow|keptOut|raiseStage|onStage|assembleCrew|DetailedAttemptResult|heldPeriodOf|recoveryFrom|createReadHistory|createStandings|createReadRecord|createSendingGuard|Verdicts|isMeant|newEvidence)\b|\b(Kept<|seldom\(|atMost\()/;
/** This file, and the history of names. */
const EXEMPT = ['test/vocabulary.unit.test.ts', 'CHANGELOG.md'];

/** Parts of names that say nothing about what a file contains. */
const BANNED_FILE_NAMES = /(^|-)(utils?|helpers?|common)(-|\.)/;

function trackedFiles(...globs: readonly string[]): string[] {
  return execFileSync('git', ['ls-files', ...globs], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
}

const files = trackedFiles('*.ts', '*.mjs', '*.cjs', '*.md', '*.tpl', '*.yaml').filter(
  (file) => !EXEMPT.includes(file),
);

/** The words of a line in lower case; an identifier counts as the words that it is made of. */
function wordsOf(line: string): string[] {
  return (line.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}

function findings(matches: (line: string) => boolean): string {
  const found = files.flatMap((file) =>
    readFileSync(resolve(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (matches(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  return found.join('\n');
}

describe('vocabulary of code and documentation', () => {
  it('has no figures of speech where the field has a standard word', () => {
    const isBanned = (line: string) =>
      BANNED_PHRASES.test(line) || wordsOf(line).some((word) => BANNED_WORDS.test(word));
    expect(findings(isBanned)).to.equal('');
  });

  it('has no retired identifiers', () => {
    expect(findings((line) => BANNED_IDENTIFIERS.test(line))).to.equal('');
  });

  it('has no file that is named after nothing in particular', () => {
    expect(trackedFiles().filter((file) => BANNED_FILE_NAMES.test(basename(file)))).to.deep.equal([]);
  });
});

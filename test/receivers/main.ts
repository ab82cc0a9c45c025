import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type System, startSystem } from '../system.js';
import { isProgram } from './is-program.js';
import { SABOTAGES, SAMPLES, type Sabotage, type Sample } from './samples.js';
import { type Tried, trySample } from './try-sample.js';

/** Below the packages of this repository, so that Node finds them. */
const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/receivers');

/** As documented, and broken in each way. */
const VARIANTS = [null, ...SABOTAGES];

/** The genuine probes, whose deliveries are handled. */
const HANDLED = 4;

/** Whether a sample did what it has to, and a sabotaged one was noticed. */
function verdictOn(sample: Sample, tried: Tried, sabotage: Sabotage | null): boolean {
  const { failedProbes, handled, repeated, tooLarge } = tried;
  switch (sabotage) {
    case null:
      return (
        failedProbes.length === 0 &&
        handled === HANDLED &&
        repeated === 0 &&
        (sample.tooLarge === null || tooLarge === sample.tooLarge)
      );
    case 'verification':
      return failedProbes.includes('forged');
    case 'raw_body':
      return failedProbes.includes('valid');
    case 'de_duplication':
      return failedProbes.length === 0 && repeated === 1;
  }
}

/** Copies a sample and installs what it needs. @returns its folder; null if that failed */
function install(sample: Sample): string | null {
  const folder = join(CACHE, sample.name.replaceAll(/\W/g, '-'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(sample.folder, folder, { recursive: true });
  try {
    for (const [program = '', ...args] of sample.install)
      execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return folder;
  } catch (error) {
    console.log(`FAILED  ${sample.name}, installation: ${(error as Error).message}`);
    return null;
  }
}

/** @returns how many variants failed */
async function tryVariants(system: System, sample: Sample): Promise<number> {
  const folder = install(sample);
  if (folder === null) return VARIANTS.length;
  let failures = 0;
  for (const sabotage of VARIANTS) {
    const restore = sabotage === null ? () => {} : apply(sample, sabotage, folder);
    const inbox = join(folder, `inbox-${sabotage ?? 'intact'}`);
    const tried = await trySample(system.client, { command: sample.start, folder, inbox });
    restore();
    const passed = verdictOn(sample, tried, sabotage);
    if (!passed) failures += 1;
    const variant = sabotage === null ? 'as documented' : `without ${sabotage.replaceAll('_', ' ')}`;
    console.log(`${passed ? 'passed' : 'FAILED'}  ${sample.name}, ${variant}: ${JSON.stringify(tried)}`);
  }
  return failures;
}

/** @returns a function that restores the file */
function apply(sample: Sample, sabotage: Sabotage, folder: string): () => void {
  const { file, texts } = sample.sabotage[sabotage];
  const path = join(folder, file);
  const intact = readFileSync(path, 'utf8');
  const broken = texts.reduce((content, [text, by]) => {
    if (!content.includes(text)) throw new Error(`${sample.name}: ${file} has no "${text}"`);
    return content.replace(text, () => by);
  }, intact);
  writeFileSync(path, broken);
  return () => writeFileSync(path, intact);
}

const wanted = process.argv[2] ?? '';
const chosen = SAMPLES.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
const possible = chosen.filter(({ needs }) => needs.every(isProgram));
const system = await startSystem();
let failed = 0;
try {
  for (const sample of possible) failed += await tryVariants(system, sample);
} finally {
  await system.stop();
}
const skipped = chosen.filter((sample) => !possible.includes(sample));
for (const { name, needs } of skipped) console.log(`skipped  ${name}: needs ${needs.join(', ')}`);
const tried = possible.length * VARIANTS.length;
console.log(`${tried - failed} passed, ${failed} failed, ${skipped.length * VARIANTS.length} skipped`);
process.exitCode = failed === 0 ? 0 : 1;

import { execFile } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDirectory } from '#dev/stack/native/cache';
import { KAFKA_VERSION } from '#dev/stack/native/versions';
import { ROOT } from '#dev/start/paths';
import { cachedInstall } from '../cached-install.js';
import { pythonWith } from '../python/python-with.js';

const PLACE = join(ROOT, 'docs/producers');
const NPM_PACKAGES = ['kafkajs@2.2.4', '@confluentinc/schemaregistry@1.10.1'];
const GO_PACKAGE = 'github.com/confluentinc/confluent-kafka-go/v2@v2.11.1';
const PYTHON_PACKAGE = 'confluent-kafka[json,schemaregistry]==2.13.0';

/** A program and where it runs. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** How each producer of the guide is run; null where its tool is not installed. */
export const PRODUCERS: Readonly<Record<string, () => Promise<Command | null>>> = {
  async 'producer.ts'() {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const cwd = await cachedInstall(`npm-${NPM_PACKAGES.join('-')}`, (_, run) =>
      run(npm, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', '.', ...NPM_PACKAGES),
    );
    copyFileSync(join(PLACE, 'producer.ts'), join(cwd, 'producer.mts'));
    return { program: process.execPath, args: ['--no-warnings', 'producer.mts'], cwd };
  },
  async 'Producer.java'() {
    const libraries = join(cacheDirectory(process.env), `kafka-${KAFKA_VERSION}`, 'libs');
    if (!(await runs('javac', '-version')) || !existsSync(libraries)) return null;
    return { program: 'java', args: ['-cp', join(libraries, '*'), 'Producer.java'], cwd: PLACE };
  },
  async 'producer.py'() {
    const programs = await pythonWith(PYTHON_PACKAGE).catch(() => null);
    return programs === null
      ? null
      : { program: join(programs, 'python'), args: ['producer.py'], cwd: PLACE };
  },
  async 'producer.go'() {
    // The client of Confluent is built with a C library.
    if (!(await runs('go', 'version')) || !(await runs('gcc', '--version'))) return null;
    const cwd = await cachedInstall(`go-${GO_PACKAGE}`, async (place, run) => {
      await run('go', 'mod', 'init', 'producer');
      copyFileSync(join(PLACE, 'producer.go'), join(place, 'producer.go'));
      await run('go', 'get', GO_PACKAGE);
      await run('go', 'mod', 'tidy');
    });
    copyFileSync(join(PLACE, 'producer.go'), join(cwd, 'producer.go'));
    return { program: 'go', args: ['run', '.'], cwd };
  },
};

async function runs(program: string, ...args: string[]): Promise<boolean> {
  return promisify(execFile)(program, args).then(
    () => true,
    () => false,
  );
}

import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { toProperties } from '../kafka-settings.js';
import { cacheDirectory } from './cache-directory.js';
import { classArchive } from './class-archive.js';
import { keptDirectory } from './data-directory.js';
import { pinnedJars } from './fetch-kafka.js';
import { withLock } from './lock.js';
import { bytesIn } from './show-progress.js';
import { javaMajor } from './tools.js';
import { ChecksumMismatch, verifyChecksum } from './verify-checksum.js';
import { KAFKA_VERSION, MONGOD_WHEELS } from './versions.js';

/** A process id that no process has: the largest that systems give out is far below. */
const UNUSED_PID = 2 ** 30;

describe('the native stack', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'postrider-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('keeps its downloads in the configured cache directory', () => {
    expect(cacheDirectory({ POSTRIDER_CACHE: '/a', XDG_CACHE_HOME: '/b' })).to.equal('/a');
    expect(cacheDirectory({ XDG_CACHE_HOME: '/b' })).to.equal('/b/postrider');
    expect(cacheDirectory({})).to.match(/\/\.cache\/postrider$/);
  });

  for (const [output, major] of [
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['java version "1.8.0_352"', 8],
    ['openjdk version "25-ea" 2025-09-16', 25],
    ['something else', undefined],
  ] as const) {
    it(`reads "${output}" as Java ${major}`, () => expect(javaMajor(output)).to.equal(major));
  }

  it('pins every download', async () => {
    const jars = await pinnedJars();
    const pinned = [
      ...jars.values(),
      ...Object.values(MONGOD_WHEELS).flatMap((wheels) => wheels.map(({ sha256 }) => sha256)),
    ];
    for (const checksum of pinned) expect(checksum).to.match(/^[0-9a-f]{64}$/);
    expect(jars.has(`kafka_2.13-${KAFKA_VERSION}.jar`)).to.equal(true);
  });

  it('rejects a file whose checksum differs', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, 'abc');
    await verifyChecksum(file, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const error = await verifyChecksum(file, '0'.repeat(64)).catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(ChecksumMismatch);
  });

  it('writes Java properties', () => {
    expect(toProperties({ a: '1', 'b.c': 'x=y' })).to.equal('a=1\nb.c=x=y\n');
  });

  it('sums the sizes of the files in a directory', () => {
    writeFileSync(join(directory, 'a'), 'abc');
    expect(bytesIn(directory)).to.equal(3);
    expect(bytesIn(join(directory, 'missing'))).to.equal(0);
  });

  it('uses the class archive of an earlier run of the same Java', () => {
    const java = { command: 'java', version: 'Some JVM (build 17)' };
    const first = classArchive(directory, directory, java);
    expect(first.flags.join(' ')).to.contain('ArchiveClassesAtExit');
    writeFileSync(join(directory, 'classes.jsa'), 'archive');
    first.keep({ code: 143, signal: null });
    expect(classArchive(directory, directory, java).flags.join(' ')).to.contain('SharedArchiveFile');
    const other = { ...java, version: 'Some JVM (build 18)' };
    expect(classArchive(directory, directory, other).flags.join(' ')).to.contain('ArchiveClassesAtExit');
  });

  it('discards the class archive of a killed process', () => {
    const java = { command: 'java', version: '17' };
    const first = classArchive(directory, directory, java);
    writeFileSync(join(directory, 'classes.jsa'), 'half an archive');
    first.keep({ code: null, signal: 'SIGKILL' });
    expect(classArchive(directory, directory, java).flags.join(' ')).to.contain('ArchiveClassesAtExit');
  });

  describe('the lock on the cache', () => {
    const lock = (onWait = () => {}) => ({ path: join(directory, 'lock'), onWait, retryMs: 1 });

    it('is held by one at a time', async () => {
      let holders = 0;
      let most = 0;
      const work = async () => {
        holders += 1;
        most = Math.max(most, holders);
        await new Promise((resolve) => setTimeout(resolve, 5));
        holders -= 1;
      };
      await Promise.all([1, 2, 3].map(() => withLock(lock(), work)));
      expect(most).to.equal(1);
      expect(readdirSync(directory)).to.deep.equal([]);
    });

    it('is taken over from a process that no longer runs', async () => {
      const { path } = lock();
      mkdirSync(path);
      utimesSync(path, 0, 0);
      let waits = 0;
      const onWait = () => {
        waits += 1;
      };
      expect(await withLock(lock(onWait), async () => 'done')).to.equal('done');
      expect(waits).to.equal(0);
    });

    it('is released when the work fails', async () => {
      const failing = withLock(lock(), () => Promise.reject(new Error('no space')));
      expect(await failing.catch((error: Error) => error.message)).to.equal('no space');
      expect(readdirSync(directory)).to.deep.equal([]);
    });

    it('reports once that it waits for another process', async () => {
      const { path } = lock();
      mkdirSync(path);
      let waits = 0;
      const onWait = () => {
        waits += 1;
        setTimeout(() => rmdirSync(path), 20);
      };
      expect(await withLock(lock(onWait), async () => 'done')).to.equal('done');
      expect(waits).to.equal(1);
    });
  });
});

describe('a permanent data directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'postrider-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is used by one stack at a time', async () => {
    const data = await keptDirectory(directory);
    const second = await keptDirectory(directory, 20).catch((error: Error) => error);
    expect((second as Error).message).to.contain('the end of the stack that uses');
    data.release();
    (await keptDirectory(directory, 20)).release();
  });

  it('is free again after its stack was killed', async () => {
    writeFileSync(join(directory, 'in-use-by'), String(UNUSED_PID));
    (await keptDirectory(directory, 20)).release();
  });
});

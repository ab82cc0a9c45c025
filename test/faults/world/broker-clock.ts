import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '#dev/start/paths';

const SOURCE = join(ROOT, 'test/faults/world/broker-clock/SystemTime.java');

/** A clock for a broker, which can be shifted while the broker runs. */
export interface BrokerClock {
  /** A directory of classes for the broker. */
  readonly classes: string;
  /** System properties for the broker. */
  readonly definitions: Readonly<Record<string, string>>;
  /** Sets the broker's clock ahead of the machine's, from the next 100 ms on. */
  shift(ms: number): void;
}

/**
 * Compiles a clock in place of the broker's. The library that fakes the time of other processes keeps a broker from starting.
 *
 * @param kafka the directory of the broker's program
 */
export async function compileBrokerClock(kafka: string, directory: string): Promise<BrokerClock> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'shift');
  const shift = (ms: number) => writeFileSync(file, String(ms));
  shift(0);
  const classPath = join(kafka, 'libs', '*');
  await promisify(execFile)(javac(), ['-cp', classPath, '-d', directory, SOURCE]);
  return { classes: directory, definitions: { 'faults.clock.file': file }, shift };
}

/** The compiler of the Java that runs the servers. */
export const javac = (): string =>
  process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'javac') : 'javac';

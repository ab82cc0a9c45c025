import {
  type LogLine,
  type ServiceProcess,
  type ServiceSpec,
  startService,
} from '#dev/processes/start-service';

/** A service process with what the faults read from its log. */
export interface MemberProcess extends ServiceProcess {
  /** When it got the oldest of its partitions, in milliseconds; null while it is not ready, or has none in a group. */
  partitionsSince(): number | null;
  lastLine(): string;
}

export interface MemberSpec extends Omit<ServiceSpec, 'onLine'> {
  /** Called with each line that it logs. */
  readonly heard: (line: LogLine) => void;
}

export async function startMember({ heard, ...spec }: MemberSpec): Promise<MemberProcess> {
  const shares = new Map<string, Share>();
  let lastLine = '';
  let isReady = false;
  const onLine = (line: string, entry: LogLine | null) => {
    lastLine = line;
    if (entry === null) return;
    const { event, groupId, assignment } = entry;
    heard(entry);
    if (groupId !== undefined && assignment !== undefined)
      shares.set(groupId, { partitions: Object.values(assignment).flat().length, at: Date.now() });
    isReady ||= event === 'ready';
  };
  const service = await startService({ ...spec, env: { ...process.env, ...spec.env }, onLine });
  return Object.assign(service, {
    partitionsSince: () => (isReady ? oldestOf([...shares.values()]) : null),
    lastLine: () => lastLine,
  });
}

/** What a process got when it joined a group. */
interface Share {
  readonly partitions: number;
  readonly at: number;
}

/** @returns null when one of them is empty, or there is none */
function oldestOf(shares: readonly Share[]): number | null {
  const hasAll = shares.length > 0 && shares.every(({ partitions }) => partitions > 0);
  return hasAll ? Math.min(...shares.map(({ at }) => at)) : null;
}

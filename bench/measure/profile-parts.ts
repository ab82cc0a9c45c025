import type { Span } from './timeline.js';

/** A CPU profile as V8 writes it. Times are microseconds of the machine's monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  /** The node of each sample, and the time since the sample before it. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** The parts of a dispatcher, each with substrings of its modules' addresses. The first match counts. */
const PARTS: readonly (readonly [part: string, pattern: RegExp])[] = [
  ['MongoDB driver', /\/node_modules\/mongodb\//],
  ['BSON', /\/node_modules\/bson\//],
  ['Kafka client', /\/node_modules\/kafkajs\/|\/shared\/dist\/src\/kafka\//],
  ['HTTP client', /\/node_modules\/undici\/|\/dispatcher\/dist\/src\/post\//],
  ['engine', /\/dispatcher\/dist\/src\/engine\//],
  ['fan-out', /\/dispatcher\/dist\/src\/(fan-out|consumer|offsets)\//],
  ['domain', /\/shared\/dist\/src\/domain\//],
  ['other code', /^file:|\/node_modules\//],
];
const COLLECTOR = '(garbage collector)';
const IDLE = '(idle)';
/** Node and V8 themselves, unless one of the parts called them. */
const RUNTIME = 'runtime';

export const PROFILE_PARTS = [...PARTS.map(([part]) => part), COLLECTOR, RUNTIME];

/**
 * Microseconds of each part in a span, in milliseconds of the machine's clock. Work of the runtime, such as writing to a
 * socket, belongs to the part that called it. Sampling also counts while the kernel runs other processes.
 */
export function timeOfParts(profile: CpuProfile, { from, to }: Span): ReadonlyMap<string, number> {
  const partOf = partsOfNodes(profile.nodes);
  const times = new Map(PROFILE_PARTS.map((part) => [part, 0]));
  let at = profile.startTime;
  for (const [index, node] of profile.samples.entries()) {
    // A delta is the time before its sample, and belongs to the previous sample's node.
    at += profile.timeDeltas[index] ?? 0;
    const part = partOf.get(node) ?? RUNTIME;
    const lasted = profile.timeDeltas[index + 1] ?? 0;
    if (part === IDLE || at < from * 1_000 || at >= to * 1_000) continue;
    times.set(part, (times.get(part) ?? 0) + lasted);
  }
  return times;
}

function partsOfNodes(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string>();
  const [root] = nodes;
  const visits = root === undefined ? [] : [{ node: root, caller: RUNTIME }];
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    const { node, caller } = visit;
    const part = ownPart(node) ?? caller;
    parts.set(node.id, part);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) visits.push({ node: child, caller: part });
    }
  }
  return parts;
}

function ownPart({ callFrame: { functionName, url } }: ProfileNode): string | null {
  if (functionName === COLLECTOR || functionName === IDLE) return functionName;
  return PARTS.find(([, pattern]) => pattern.test(url))?.[0] ?? null;
}

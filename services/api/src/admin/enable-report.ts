import type { DisabledEndpoint } from './disabled-endpoints.js';
import type { Terminal } from './terminal.js';

/** An endpoint that is or would be enabled. */
export interface Handled extends Pick<DisabledEndpoint, 'endpointId' | 'workspaceId' | 'origin'> {
  /** The job that replays the held deliveries. */
  readonly replayJobId?: string;
  /** In a dry run: the deliveries that would be replayed. */
  readonly heldDeliveries?: number;
  /** Present if there may be more of them, because counting stopped. */
  readonly isLowerBound?: true;
}

/** An endpoint that could not be enabled, or in a dry run not be read. */
interface Failed {
  readonly endpointId: string;
  readonly reason: string;
}

export interface ReportOptions {
  readonly replayHeld?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** What a run has done, printed as lines at once, or as one JSON object at the end. */
export interface EnableReport {
  handled(endpoint: Handled): void;
  failed(endpointId: string, error: unknown): void;
  /** Prints the rest. @returns how many endpoints failed */
  end(): number;
}

export function createEnableReport(
  { print, printError }: Pick<Terminal, 'print' | 'printError'>,
  options: ReportOptions,
): EnableReport {
  const endpoints: Handled[] = [];
  const failed: Failed[] = [];
  return {
    handled(one) {
      endpoints.push(one);
      if (!options.json) print(lineOf(one));
    },
    failed(endpointId, error) {
      const reason = error instanceof Error ? error.message : String(error);
      failed.push({ endpointId, reason });
      if (!options.json)
        printError(`${endpointId} ${options.dryRun ? 'cannot be read' : 'stays disabled'}: ${reason}`);
    },
    end() {
      if (options.json) print(JSON.stringify({ dryRun: options.dryRun === true, endpoints, failed }));
      else printError(summaryOf(endpoints, options));
      return failed.length;
    },
  };
}

export function countOf(endpoints: number): string {
  return endpoints === 1 ? '1 endpoint' : `${endpoints} endpoints`;
}

function lineOf({
  endpointId,
  workspaceId,
  origin,
  replayJobId,
  heldDeliveries,
  isLowerBound,
}: Handled): string {
  const count = isLowerBound ? `at least ${heldDeliveries}` : heldDeliveries;
  const held = heldDeliveries === undefined ? [] : [`${count} held`];
  const job = replayJobId === undefined ? [] : [replayJobId];
  return [endpointId, workspaceId, origin, ...held, ...job].join(' ');
}

function summaryOf(endpoints: readonly Handled[], options: ReportOptions): string {
  const verb = options.dryRun ? 'would be' : endpoints.length === 1 ? 'was' : 'were';
  return `${countOf(endpoints.length)} ${verb} enabled.${replaysOf(endpoints, options)}`;
}

function replaysOf(endpoints: readonly Handled[], { replayHeld, dryRun }: ReportOptions): string {
  if (!replayHeld || endpoints.length === 0) return '';
  if (!dryRun) return ' A replay job of each sends its held deliveries.';
  const held = endpoints.reduce((sum, { heldDeliveries = 0 }) => sum + heldDeliveries, 0);
  return endpoints.some(({ isLowerBound }) => isLowerBound)
    ? ` At least ${held} deliveries are held.`
    : ` At most ${held} held deliveries would be replayed.`;
}

import { Agent, get, type IncomingMessage } from 'node:http';

export interface StreamPlan {
  readonly origin: string;
  readonly workspaces: readonly StreamedWorkspace[];
  /** Streams of each workspace. */
  readonly each: number;
}

export interface StreamedWorkspace {
  readonly slug: string;
  readonly token: string;
}

export interface OpenedStreams {
  /** Events received by all streams. */
  readonly events: () => number;
  /** Streams that have ended. */
  readonly ended: () => number;
  /** From the time of an outcome to its arrival, in milliseconds: of one stream of each workspace. */
  readonly delaysMs: readonly number[];
  close(): void;
}

/** Opens streams of deliveries and reads them. */
export async function openStreams({ origin, workspaces, each }: StreamPlan): Promise<OpenedStreams> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const delaysMs: number[] = [];
  let events = 0;
  let ended = 0;
  const open = async (workspace: StreamedWorkspace, nth: number) => {
    const response = await connect(`${origin}/workspaces/${workspace.slug}/stream`, agent, workspace);
    response.once('close', () => {
      ended += 1;
    });
    readEvents(response, (data) => {
      events += 1;
      if (nth === 0) delaysMs.push(Date.now() - Date.parse(JSON.parse(data).at));
    });
  };
  // One workspace after the other: a thousand concurrent requests would be a separate test.
  for (const workspace of workspaces)
    await Promise.all(Array.from({ length: each }, (_, nth) => open(workspace, nth)));
  return { events: () => events, ended: () => ended, delaysMs, close: () => agent.destroy() };
}

/** Opens streams with payloads that leave everything unread. @returns closes them */
export async function openSilentStreams({ origin, workspaces, each }: StreamPlan): Promise<() => void> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const open = async (workspace: StreamedWorkspace) => {
    const url = `${origin}/workspaces/${workspace.slug}/stream?payload=true`;
    (await connect(url, agent, workspace)).pause();
  };
  for (const workspace of workspaces) await Promise.all(Array.from({ length: each }, () => open(workspace)));
  return () => agent.destroy();
}

function connect(url: string, agent: Agent, { token }: StreamedWorkspace): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.on('error', () => {});
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      reject(new Error(`a stream was refused with ${response.statusCode}`));
    });
    request.once('error', reject);
  });
}

const DATA = 'data: ';

/** @param onEvent gets the data of each event of a delivery */
function readEvents(response: IncomingMessage, onEvent: (data: string) => void): void {
  let rest = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events)
      if (event.startsWith('event: delivery.')) onEvent(event.slice(event.indexOf(DATA) + DATA.length));
  });
}

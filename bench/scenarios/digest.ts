import { DAY_MS } from '@postrider/shared/domain/durations';
import { idOf, type WorkspaceId } from '@postrider/shared/domain/id';
import { toDeliveryDocument, toDocument } from '@postrider/shared/mongo/documents';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { aTerminalDelivery } from '@postrider/shared/testing/builders';
import { aWorkspace } from '@postrider/shared/testing/workspace-builders';
import { createNamespace, type Namespace } from '../environment/namespace.js';
import { runJanitor } from '../processes/run-janitor.js';
import type { Row } from '../report/row.js';
import { type Context, countOf, measureRows, type Scenario } from '../scenario.js';
import { memoryFigure, rateFigure } from './figures.js';

const WORKSPACES = 100_000;
const DELIVERIES_EACH = 2;
/** Workspaces in one write. */
const CHUNK = 1_000;
/** The default of `TIME_BUDGET`. */
const BUDGET_S = 600;

export const digest: Scenario = {
  name: 'digest',
  about: `The janitor sends ${WORKSPACES.toLocaleString('en')} workspaces their digest of yesterday, or finds that nothing happened in them.`,
  run(context) {
    const workspaces = countOf(context, WORKSPACES);
    return measureRows(
      context,
      [DELIVERIES_EACH, 0].map((deliveries) => {
        const label = deliveries === 0 ? 'quiet workspaces' : `${deliveries} deliveries in each workspace`;
        return { label, measure: () => runDigest(context, { label, workspaces, deliveries }) };
      }),
    );
  },
};

interface Digest {
  readonly label: string;
  readonly workspaces: number;
  /** Of yesterday, in each workspace. */
  readonly deliveries: number;
}

async function runDigest(context: Context, plan: Digest): Promise<Row> {
  const { label, workspaces, deliveries } = plan;
  context.progress(label);
  const namespace = await createNamespace(context);
  try {
    await seed(context, namespace, plan);
    const settings = { TIME_BUDGET: `${2 * BUDGET_S}s` };
    const { handled, span, processes } = await runJanitor(context, namespace, { task: 'digest', settings });
    const expected = deliveries === 0 ? 0 : workspaces;
    const seconds = (span.to - span.from) / 1_000;
    return {
      label,
      figures: [
        { name: 'took', unit: 's', value: seconds, goal: { atMost: BUDGET_S } },
        rateFigure('workspaces', workspaces, span),
        memoryFigure(processes, undefined, 'janitor'),
      ],
      cost: { deliveries: workspaces, processes },
      mismatches: handled === expected ? [] : [`the janitor sent ${handled} digests instead of ${expected}`],
    };
  } finally {
    await namespace.drop();
  }
}

/** Stores workspaces, and deliveries of yesterday in each. */
async function seed(
  { signal, progress }: Context,
  { database }: Namespace,
  { workspaces, deliveries }: Digest,
): Promise<void> {
  const { collections } = database;
  const noonYesterday = new Date((Math.floor(Date.now() / DAY_MS) - 1) * DAY_MS + DAY_MS / 2);
  const rowOf = (workspaceId: WorkspaceId) => {
    const id = idOf('delivery', noonYesterday, randomTail());
    return toDeliveryDocument(aTerminalDelivery('delivered', { id, workspaceId, createdAt: noonYesterday }));
  };
  for (let stored = 0; stored < workspaces; stored += CHUNK) {
    signal.throwIfAborted();
    const chunk = Array.from({ length: Math.min(CHUNK, workspaces - stored) }, (_, index) =>
      aWorkspace({
        id: idOf('workspace', noonYesterday, randomTail()),
        slug: `digest-${stored + index}`,
        createdAt: noonYesterday,
      }),
    );
    await collections.workspaces.insertMany(chunk.map((one) => ({ ...toDocument(one), guard: 0 })));
    const rows = chunk.flatMap(({ id }) => Array.from({ length: deliveries }, () => rowOf(id)));
    if (rows.length > 0) await collections.deliveries.insertMany(rows);
    if (stored % (10 * CHUNK) === 0) progress(`${stored} of ${workspaces} workspaces stored`);
  }
}

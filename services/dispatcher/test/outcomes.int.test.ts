import { OUTCOME_KINDS } from '@postrider/shared/domain/delivery-outcome';
import { createSchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { OUTCOMES_TOPIC } from '@postrider/shared/ports/topics';
import { eventually } from '@postrider/shared/testing/eventually';
import { type TopicReader, topicReader } from '@postrider/shared/testing/topic-reader';
import { expect } from 'chai';
import { type DispatcherWorld, dispatcherWorld } from './dispatcher-world.js';

describe('outcomes of the dispatcher', () => {
  let here: DispatcherWorld;
  let reader: TopicReader;
  before(async () => {
    here = await dispatcherWorld({ PROBE_STEP: '500ms' });
    reader = await topicReader(here.world, OUTCOMES_TOPIC);
  });
  after(async () => {
    await reader?.stop();
    await here?.stop();
  });

  const recordsOf = (endpointId: string) => reader.records.filter(({ key }) => String(key) === endpointId);
  const kindsOf = (endpointId: string) => recordsOf(endpointId).map(({ headers }) => headers.ce_type);

  it('are on their topic in order, decodable by the registry, keyed by the endpoint', async () => {
    const { SCHEMA_REGISTRY_URL = '', TOPIC_PREFIX = '' } = here.world.env;
    const endpointId = await here.endpoint('outcomes');
    const { payload } = await here.changePlan();
    await eventually(() => expect(kindsOf(endpointId)).to.deep.equal(OUTCOME_KINDS));
    const row = await here.row(endpointId);
    const codec = createSchemaCodec(SCHEMA_REGISTRY_URL, TOPIC_PREFIX);
    const [created, attempted, ended] = recordsOf(endpointId);
    const common = {
      workspaceId: row!.workspaceId,
      deliveryId: row!._id,
      endpointId,
      eventId: payload.eventId,
      eventType: 'billing.plan_changed',
      failureReason: null,
    };
    expect(await codec.decode(created!.value)).to.include({ ...common, status: 'pending', attempts: 0 });
    const delivered = { ...common, status: 'delivered', attempts: 1, httpStatus: 200 };
    expect(await codec.decode(attempted!.value)).to.include(delivered);
    const last = (await codec.decode(ended!.value)) as Record<string, unknown>;
    expect(last).to.include({ ...delivered, durationMs: row!.lastAttempt!.durationMs });
    expect(ended!.headers).to.include({
      ce_specversion: '1.0',
      ce_id: `${row!._id}.ended`,
      ce_type: 'delivery.ended',
      ce_source: `/workspaces/${row!.workspaceId}`,
      ce_time: last.at,
      'content-type': 'application/json',
    });
    expect(ended!.headers.traceparent).to.include(row!.traceId);
    await here.disable(endpointId);
  });

  it('show a recovery probe of a disabled endpoint like any other delivery', async () => {
    const at = new Date();
    const endpointId = await here.endpoint('probed', {
      enabled: false,
      disabledReason: 'consecutive_failures',
      disabledAt: at,
      probeAt: at,
      recovery: 'probe',
    });
    await eventually(() => expect(kindsOf(endpointId)).to.deep.equal(OUTCOME_KINDS));
    const row = await here.row(endpointId);
    expect(recordsOf(endpointId)[0]!.headers.ce_id).to.equal(`${row!._id}.created`);
    await here.disable(endpointId);
  });

  it('show a held delivery as created and ended', async () => {
    const endpointId = await here.endpoint('held');
    await here.disable(endpointId);
    await here.changePlan();
    await eventually(() => expect(kindsOf(endpointId)).to.deep.equal(['delivery.created', 'delivery.ended']));
    const row = await here.row(endpointId);
    expect(row).to.include({ status: 'failed_permanent', failureReason: 'endpoint_disabled' });
  });
});

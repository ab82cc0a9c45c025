import { SYSTEM } from '@postrider/shared/domain/audit-event';
import { heldReplayJob } from '@postrider/shared/domain/replay-job';
import {
  aTerminalDelivery,
  ENDPOINT_ID,
  idFor,
  NOON,
  TRACE_ID,
  WORKSPACE_ID,
} from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { planBatch } from '../../src/replay/plan-batch.js';

const MIB = 1_024 * 1_024;

describe('batch of a replay job', () => {
  const period = { workspaceId: WORKSPACE_ID, endpointId: ENDPOINT_ID, since: NOON, enabledAt: NOON };
  const job = heldReplayJob(period, { id: idFor('replayJob', 'job'), actor: SYSTEM, traceId: TRACE_ID });
  const delivery = { ...aTerminalDelivery('failed_permanent'), failureReason: 'endpoint_disabled' } as const;
  const matched = (payloadBytes: readonly number[]) =>
    payloadBytes.map((bytes, n) => ({
      id: idFor('delivery', `${n}`),
      delivery,
      payloadBytes: bytes,
      endpoint: { enabled: true, deletedAt: null },
      isReplayed: false,
    }));
  const chosen = (payloadBytes: readonly number[]) =>
    planBatch(100, NOON)(job, matched(payloadBytes)).sourceIds.length;

  it('replays as many deliveries as their payloads fit into 4 MiB', () => {
    expect(chosen(Array(40).fill(MIB / 4))).to.equal(16);
    expect(chosen(Array(40).fill(100))).to.equal(40);
  });

  it('replays one delivery at least', () => {
    expect(chosen([9 * MIB, 100])).to.equal(1);
  });

  it('replays no more than it may, in order, and counts those that it skips by reason', () => {
    const [first, gone, replayed, second, third, disabled] = matched(Array(6).fill(100));
    const { sourceIds, plan } = planBatch(2, NOON)({ ...job, replayed: 5 }, [
      first!,
      { ...gone!, delivery: null },
      { ...replayed!, isReplayed: true },
      second!,
      third!,
      { ...disabled!, endpoint: { enabled: false, deletedAt: null } },
    ]);
    expect(sourceIds).to.deep.equal([first!.id, second!.id]);
    const after = plan(sourceIds.map((id) => ({ ...aTerminalDelivery('failed_permanent'), id }))).job;
    expect(after).to.include({ id: job.id, status: 'running', replayed: 7 });
    expect(after.skipped).to.deep.equal({ ...job.skipped, expired: 1, alreadyReplayed: 1 });
  });

  it('counts the deliveries behind the last one that fits as not handled', () => {
    const rows = matched([9 * MIB, 100, 100]);
    const { sourceIds, plan } = planBatch(100, NOON)(job, [
      ...rows.slice(0, 2),
      { ...rows[2]!, delivery: null },
    ]);
    const after = plan(sourceIds.map((id) => ({ ...aTerminalDelivery('failed_permanent'), id }))).job;
    expect(after).to.include({ replayed: 1 });
    expect(after.skipped).to.deep.equal(job.skipped);
  });
});

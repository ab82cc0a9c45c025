import type { ConformanceCheck } from '../domain/conformance-check.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { Clock } from '../ports/clock.js';
import type { ConformanceCheckStore } from '../ports/conformance-checks.js';
import type { Collections } from './collections.js';
import { fromCheckDocument, updateOfCheck } from './conformance-check-documents.js';
import { fromDocument } from './documents.js';

interface StoreParts {
  readonly collections: Pick<Collections, 'conformanceChecks' | 'endpoints'>;
  readonly clock: Clock;
  /** Identifies this process. */
  readonly holder: string;
  /** How long the lease of a crashed process lasts, in milliseconds. */
  readonly leaseMs: number;
}

export function createConformanceCheckStore(parts: StoreParts): ConformanceCheckStore {
  const { collections, clock, holder, leaseMs } = parts;
  const { conformanceChecks, endpoints } = collections;
  const leaseUntil = () => new Date(clock.now().getTime() + leaseMs);
  const leased = ({ id }: ConformanceCheck) => ({
    _id: id,
    leaseHolder: holder,
    leaseUntil: { $exists: true },
  });
  return {
    async claim(exceptWorkspaces) {
      const found = await conformanceChecks.findOneAndUpdate(
        { leaseUntil: { $lte: clock.now() }, workspaceId: { $nin: [...exceptWorkspaces] } },
        { $set: { leaseHolder: holder, leaseUntil: leaseUntil() } },
        { sort: { leaseUntil: 1 }, returnDocument: 'after' },
      );
      return found && fromCheckDocument(found);
    },
    async endpointOf({ endpointId, workspaceId }) {
      const found = await endpoints.findOne({ _id: endpointId, workspaceId });
      return found && fromDocument<Endpoint>(found);
    },
    async save(check) {
      const { matchedCount } = await conformanceChecks.updateOne(
        leased(check),
        updateOfCheck(check, leaseUntil()),
      );
      return matchedCount > 0;
    },
    async release(check) {
      const free = { $set: { leaseUntil: clock.now() }, $unset: { leaseHolder: 1 as const } };
      await conformanceChecks.updateOne(leased(check), free);
    },
  };
}

import type { DeliverySummary } from '@postrider/shared/domain/delivery';
import { endedOutcome } from '@postrider/shared/domain/delivery-outcome';
import type { DeliveryId } from '@postrider/shared/domain/id';
import type { Log } from '@postrider/shared/ports/log';
import type { ReportOutcomes } from '@postrider/shared/ports/outcomes';

interface ReportDeadLettersParts {
  /** The events of deliveries, keyed by delivery. */
  readonly eventIdsOf: (deliveryIds: readonly DeliveryId[]) => Promise<ReadonlyMap<DeliveryId, string>>;
  readonly report: ReportOutcomes;
  readonly log: Log;
}

/** Reports dead-lettered deliveries. Their events are read first; nothing waits for that. */
export function createReportDeadLetters({ eventIdsOf, report, log }: ReportDeadLettersParts) {
  const readAndReport = async (ended: readonly DeliverySummary[], at: Date) => {
    const eventIds = await eventIdsOf(ended.map(({ id }) => id));
    const outcomes = ended.flatMap((delivery) => {
      const eventId = eventIds.get(delivery.id);
      return eventId === undefined ? [] : [endedOutcome({ delivery, eventId, at })];
    });
    report(outcomes);
  };
  return (ended: readonly DeliverySummary[], at: Date): void => {
    if (ended.length === 0) return;
    readAndReport(ended, at).catch((err: unknown) =>
      log.warn(
        { event: 'outcomes.dropped', dropped: ended.length, err },
        'the events of dead letters could not be read, so their outcomes are not published',
      ),
    );
  };
}

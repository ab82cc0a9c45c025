import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { pollBy } from '../session/poll-every.js';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { formatMs } from '../ui/format-ms.js';
import { Progress } from '../ui/progress.js';
import { Queried } from '../ui/queried.js';
import styles from './first-steps.module.css';

type ConformanceCheck = components['schemas']['ConformanceCheck'];
type ProbeResult = ConformanceCheck['results'][number];

/** A check is read again until it has ended. */
const REFRESH_MS = 1_000;

/** Sends genuine and forged requests to the receiver and grades its responses. */
export function ConformanceStep({
  endpoint: { id },
}: {
  readonly endpoint: components['schemas']['Webhook'];
}) {
  const client = useClient();
  const { mutate, data, error, isPending } = useRepeatableMutation({
    send: ({ header }) =>
      client.post('/webhooks/{endpointId}/conformance-checks', {
        params: { path: { endpointId: id }, header },
      }),
  });
  const query = useCheck(id, data?.checkId);
  const isRunning = query.data === undefined ? query.isLoading : query.data.endedAt === null;
  return (
    <>
      <p>{texts.conformance.hint}</p>
      <div>
        <Button look="primary" isDisabled={isPending || isRunning} onPress={() => mutate()}>
          {texts.conformance.start}
        </Button>
      </div>
      {error !== null && <ErrorPanel error={error} />}
      {data !== undefined && <Queried query={query}>{(check) => <CheckResult check={check} />}</Queried>}
    </>
  );
}

/** A check of an endpoint, up to date until it has ended. Without an id nothing is loaded. */
function useCheck(endpointId: string, checkId: string | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: ['conformance', checkId],
    queryFn: () =>
      client.get('/webhooks/{endpointId}/conformance-checks/{checkId}', {
        params: { path: { endpointId, checkId: checkId ?? '' } },
      }),
    enabled: checkId !== undefined,
    refetchInterval: pollBy<ConformanceCheck>((check) => check?.endedAt === null && REFRESH_MS),
  });
}

function CheckResult({ check: { status, results } }: { readonly check: ConformanceCheck }) {
  return (
    <>
      {status === 'running' ? (
        <Progress label={texts.conformance.running} percent={null} detail="" />
      ) : (
        <p role="status">
          <Badge tone={status === 'passed' ? 'good' : 'bad'}>{texts.conformance[status]}</Badge>
        </p>
      )}
      <ul className={styles.probes}>
        {results.map((result) => (
          <Probe key={result.probe} result={result} />
        ))}
      </ul>
    </>
  );
}

function Probe({ result: { probe, passed, got, advice } }: { readonly result: ProbeResult }) {
  return (
    <li className={styles.content}>
      <div className={styles.line}>
        <Badge tone={passed ? 'good' : 'bad'}>
          {passed ? texts.conformance.ok : texts.conformance.notOk}
        </Badge>
        <strong>{texts.conformance.probes[probe]}</strong>
        <span>
          {got === null || got.httpStatus === null
            ? texts.conformance.noResponse
            : `HTTP ${got.httpStatus}, ${formatMs(got.durationMs)}`}
        </span>
      </div>
      {!passed && advice !== null && <p>{advice}</p>}
    </li>
  );
}

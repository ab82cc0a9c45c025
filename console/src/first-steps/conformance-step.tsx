import type { components } from '@postrider/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
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
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      client.post('/webhooks/{endpointId}/conformance-checks', { params: { path: { endpointId: id } } }),
  });
  return (
    <>
      <p>{texts.conformance.hint}</p>
      <div>
        <Button look="primary" isDisabled={isPending} onPress={() => mutate()}>
          {texts.conformance.start}
        </Button>
      </div>
      {error !== null && <ErrorPanel error={error} />}
      {data !== undefined && <CheckResult key={data.checkId} endpointId={id} checkId={data.checkId} />}
    </>
  );
}

function CheckResult(path: { readonly endpointId: string; readonly checkId: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['conformance', path.checkId],
    queryFn: () => client.get('/webhooks/{endpointId}/conformance-checks/{checkId}', { params: { path } }),
    refetchInterval: ({ state }) => (state.data?.endedAt === null ? REFRESH_MS : false),
  });
  return (
    <Queried query={query}>
      {({ status, results }) => (
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
      )}
    </Queried>
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

import type { components } from '@postrider/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useEndpoint } from '../endpoints/use-endpoint.js';
import { useMay } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { LinkButton } from '../ui/link-button.js';
import { NotPermitted } from '../ui/not-permitted.js';
import { PageHead } from '../ui/page-head.js';
import { Queried } from '../ui/queried.js';
import { ConformanceStep } from './conformance-step.js';
import { CreateStep } from './create-step.js';
import { type FirstSteps, ORDER, type StepName, stepOf } from './first-steps.js';
import styles from './first-steps.module.css';
import { SecretStep } from './secret-step.js';
import { Step } from './step.js';
import { TestStep } from './test-step.js';

/** From a URL to a receiver that verifies: creates the endpoint, shows secret and code, and sends a test event. */
export function FirstStepsPage() {
  const { endpointId } = useSearch({ from: '/endpoints/new' });
  const query = useEndpoint(endpointId);
  return (
    <>
      <PageHead
        title={endpointId === undefined ? texts.firstSteps.title : texts.firstSteps.createdTitle}
        subtitle={texts.firstSteps.subtitle}
      />
      {endpointId === undefined ? (
        <Steps endpoint={null} />
      ) : (
        <Queried query={query}>{(endpoint) => <Steps key={endpointId} endpoint={endpoint} />}</Queried>
      )}
    </>
  );
}

interface StepsProps {
  /** Null before it is created. */
  readonly endpoint: components['schemas']['Webhook'] | null;
}

function Steps({ endpoint }: StepsProps) {
  const search = useSearch({ from: '/endpoints/new' });
  const advance = useAdvance();
  const current = stepOf(search);
  const distanceOf = (step: StepName) => ORDER.indexOf(step) - ORDER.indexOf(current);
  const stateOf = (step: StepName) => {
    const distance = distanceOf(step);
    return distance === 0 ? 'current' : distance < 0 ? 'done' : 'later';
  };
  const { steps } = texts.firstSteps;
  const finish = useCallback(() => advance({ step: 'check' }), [advance]);
  const mayTest = useMay('webhook:test');
  return (
    <>
      <ol className={styles.steps}>
        <Step number={1} title={steps.create} state={stateOf('create')}>
          {endpoint === null ? (
            <Create onCreated={({ id }) => advance({ endpointId: id })} />
          ) : (
            <p>{endpoint.url}</p>
          )}
        </Step>
        <Step number={2} title={steps.secret} state={stateOf('secret')}>
          {endpoint !== null && (
            <SecretStep
              endpoint={endpoint}
              isDone={distanceOf('secret') < 0}
              onDone={() => advance({ step: 'test' })}
            />
          )}
        </Step>
        <Step number={3} title={steps.test} state={stateOf('test')}>
          {endpoint !== null && mayTest ? (
            <TestStep
              endpoint={endpoint}
              deliveryId={search.deliveryId}
              onSent={(deliveryId) => advance({ deliveryId })}
              onDelivered={current === 'test' ? finish : null}
            />
          ) : (
            <NotPermitted />
          )}
        </Step>
        <Step number={4} title={steps.conformance} state={stateOf('check')}>
          {endpoint !== null && mayTest ? <ConformanceStep endpoint={endpoint} /> : <NotPermitted />}
        </Step>
      </ol>
      {endpoint !== null && (
        <div>
          <LinkButton
            look={current === 'check' ? 'primary' : 'plain'}
            to="/endpoints/$endpointId"
            params={{ endpointId: endpoint.id }}
          >
            {texts.firstSteps.open}
          </LinkButton>
        </div>
      )}
    </>
  );
}

/** Keeps in the address how far the path has come. */
function useAdvance(): (reached: FirstSteps) => void {
  const navigate = useNavigate({ from: '/endpoints/new' });
  return useCallback(
    (reached) =>
      void navigate({
        to: '/endpoints/new',
        search: (before) => ({ ...before, ...reached }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
}

function Create({ onCreated }: { onCreated(endpoint: components['schemas']['Webhook']): void }) {
  return useMay('webhook:create') ? <CreateStep onCreated={onCreated} /> : <NotPermitted />;
}

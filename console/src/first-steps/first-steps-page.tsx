import type { components } from '@postrider/client';
import { useCallback, useState } from 'react';
import { useMay } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { LinkButton } from '../ui/link-button.js';
import { NotPermitted } from '../ui/not-permitted.js';
import { PageHead } from '../ui/page-head.js';
import { ConformanceStep } from './conformance-step.js';
import { CreateStep } from './create-step.js';
import styles from './first-steps.module.css';
import { SecretStep } from './secret-step.js';
import { Step } from './step.js';
import { TestStep } from './test-step.js';

type Webhook = components['schemas']['Webhook'];

/** How far the path has come. */
type Progress =
  | { readonly at: 'create' }
  | { readonly at: 'secret' | 'test' | 'done'; readonly endpoint: Webhook };

const ORDER = ['create', 'secret', 'test', 'done'] as const;

/** From a URL to a receiver that verifies: creates the endpoint, shows secret and code, and sends a test event. */
export function FirstStepsPage() {
  const [progress, setProgress] = useState<Progress>({ at: 'create' });
  const finish = useCallback(
    () => setProgress((reached) => (reached.at === 'test' ? { ...reached, at: 'done' } : reached)),
    [],
  );
  const stateOf = (step: Progress['at']) => {
    const distance = ORDER.indexOf(step) - ORDER.indexOf(progress.at);
    return distance === 0 ? 'current' : distance < 0 ? 'done' : 'later';
  };
  const { steps } = texts.firstSteps;
  return (
    <>
      <PageHead title={texts.firstSteps.title} subtitle={texts.firstSteps.subtitle} />
      <ol className={styles.steps}>
        <Step number={1} title={steps.create} state={stateOf('create')}>
          {progress.at === 'create' ? (
            <Create onCreated={(endpoint) => setProgress({ at: 'secret', endpoint })} />
          ) : (
            <p>{progress.endpoint.url}</p>
          )}
        </Step>
        <Step number={2} title={steps.secret} state={stateOf('secret')}>
          {progress.at !== 'create' && (
            <SecretStep
              endpoint={progress.endpoint}
              isDone={progress.at !== 'secret'}
              onDone={() => setProgress({ at: 'test', endpoint: progress.endpoint })}
            />
          )}
        </Step>
        <Step number={3} title={steps.test} state={stateOf('test')}>
          {(progress.at === 'test' || progress.at === 'done') && (
            <TestStep endpoint={progress.endpoint} onDelivered={finish} />
          )}
        </Step>
        <Step number={4} title={steps.conformance} state={stateOf('done')}>
          {progress.at === 'done' && <ConformanceStep endpoint={progress.endpoint} />}
        </Step>
      </ol>
      {progress.at !== 'create' && (
        <div>
          <LinkButton
            look={progress.at === 'done' ? 'primary' : 'plain'}
            to="/endpoints/$endpointId"
            params={{ endpointId: progress.endpoint.id }}
          >
            {texts.firstSteps.open}
          </LinkButton>
        </div>
      )}
    </>
  );
}

function Create({ onCreated }: { onCreated(endpoint: Webhook): void }) {
  return useMay('webhook:create') ? <CreateStep onCreated={onCreated} /> : <NotPermitted />;
}

import type { components } from '@postrider/client';
import { useState } from 'react';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { CopyButton } from '../ui/copy-button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { OneTimeValue } from '../ui/one-time-value.js';
import { TextBlock } from '../ui/text-block.js';
import { useLeaveGuard } from '../ui/use-leave-guard.js';
import styles from './first-steps.module.css';
import { LANGUAGES, type Language, SNIPPETS } from './snippets.js';

interface SecretStepProps {
  readonly endpoint: components['schemas']['Webhook'];
  readonly isDone: boolean;
  onDone(): void;
}

/** Shows the signing secret once, and code that verifies with it. */
export function SecretStep({ endpoint: { id }, isDone, onDone }: SecretStepProps) {
  const client = useClient();
  const mayRotate = useMay('webhook:rotate_secret');
  const [language, setLanguage] = useState<Language>('TypeScript');
  const { mutate, data, error, isPending } = useRepeatableMutation({
    send: ({ header }) =>
      client.post('/webhooks/{endpointId}/rotate-secret', { params: { path: { endpointId: id }, header } }),
  });
  useLeaveGuard(isPending);
  // A new endpoint signs with a secret, never with a key pair.
  const secret = data !== undefined && 'secret' in data ? data.secret : null;
  return (
    <>
      {mayRotate && data === undefined && !isDone && (
        <div>
          <Button look="primary" isDisabled={isPending} onPress={() => mutate()}>
            {texts.firstSteps.showSecret}
          </Button>
        </div>
      )}
      {!mayRotate && !isDone && <p>{texts.firstSteps.noSecret}</p>}
      {error !== null && <ErrorPanel error={error} />}
      {secret !== null && (
        <>
          <p>{texts.endpoints.secretOnce}</p>
          <OneTimeValue
            value={secret}
            label={texts.endpoints.copySecret}
            prefix="WEBHOOK_SECRET="
            isKept={isDone}
          />
        </>
      )}
      <p>{texts.firstSteps.codeHint}</p>
      <Choice
        label={texts.firstSteps.language}
        value={language}
        options={LANGUAGES.map((value) => ({ value, label: value }))}
        onChange={setLanguage}
      />
      <TextBlock>{SNIPPETS[language]}</TextBlock>
      <div className={styles.line}>
        <CopyButton text={SNIPPETS[language]} label={texts.firstSteps.copyCode} />
        {!isDone && <Button onPress={onDone}>{texts.firstSteps.next}</Button>}
      </div>
    </>
  );
}

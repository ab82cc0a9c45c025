import { explainSignature, type SignatureProblem } from '@postrider/client';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { classNames } from '../ui/class-names.js';
import formStyles from '../ui/form.module.css';
import { PageHead } from '../ui/page-head.js';
import panelStyles from '../ui/panel.module.css';
import { TextField } from '../ui/text-field.js';
import { describeProblem } from './describe-problem.js';
import { parseHeaders } from './parse-headers.js';
import styles from './playground.module.css';

/**
 * Explains a failed verification. Nothing that is entered leaves the browser, which verifies only in a secure context. Browsers of
 * some years ago do not know the keys of Ed25519.
 */
export function PlaygroundPage() {
  const [secret, setSecret] = useState('');
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const [verdict, setVerdict] = useState<readonly SignatureProblem[] | 'unsupported' | null>(null);
  /** A verdict is about what was checked, so an edit removes it. */
  const edit = (set: (text: string) => void) => (text: string) => {
    set(text);
    setVerdict(null);
  };
  const check = async () => {
    const question = { secret, headers: parseHeaders(headers), body, nowMs: Date.now() };
    setVerdict(await explainSignature(question).catch(() => 'unsupported' as const));
  };
  return (
    <>
      <PageHead title={texts.playground.title} subtitle={texts.playground.subtitle} />
      <Form
        className={classNames(panelStyles.panel, formStyles.wide)}
        onSubmit={(event) => {
          event.preventDefault();
          void check();
        }}
      >
        <TextField
          label={texts.playground.secret}
          description={texts.playground.secretDescription}
          autoComplete="off"
          value={secret}
          onChange={edit(setSecret)}
        />
        <TextField
          label={texts.playground.headers}
          description={texts.playground.headersDescription}
          rows={5}
          value={headers}
          onChange={edit(setHeaders)}
        />
        <TextField
          label={texts.playground.body}
          description={texts.playground.bodyDescription}
          rows={8}
          value={body}
          onChange={edit(setBody)}
        />
        {!isSecureContext && <p>{texts.playground.insecure}</p>}
        <Button type="submit" look="primary" isDisabled={!isSecureContext}>
          {texts.playground.check}
        </Button>
      </Form>
      <output>
        {verdict === 'unsupported' ? (
          <p>{texts.playground.unsupported}</p>
        ) : (
          verdict !== null && <Verdict problems={verdict} secret={secret} />
        )}
      </output>
    </>
  );
}

interface VerdictProps {
  readonly problems: readonly SignatureProblem[];
  readonly secret: string;
}

function Verdict({ problems, secret }: VerdictProps) {
  if (problems.length === 0) return <p className={styles.valid}>{texts.playground.valid}</p>;
  return (
    <div className={styles.invalid}>
      <strong>{texts.playground.invalid}</strong>
      <ul>
        {problems.map((problem) => (
          <li key={JSON.stringify(problem)}>{describeProblem(problem, secret)}</li>
        ))}
      </ul>
    </div>
  );
}

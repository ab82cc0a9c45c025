import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useSessions } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { TextField } from '../ui/text-field.js';
import styles from './sign-in.module.css';

interface SignInFormProps {
  /** Leaves a page of the workspace that was shown before. False if a person prefers to stay. */
  readonly leavePage?: () => Promise<boolean>;
  onSignedIn?(): void;
}

/** Signs in with an API token. The token itself names its workspace. Once the form was closed, an answer takes no effect. */
export function SignInForm({ leavePage, onSignedIn }: SignInFormProps) {
  const { signIn } = useSessions();
  const [token, setToken] = useState('');
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const mayShow = async () => isShown.current && (leavePage === undefined || (await leavePage()));
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => signIn({ token: token.trim(), source: 'sign_in' }, mayShow),
    onSuccess: (isSignedIn) => {
      if (isSignedIn) onSignedIn?.();
    },
  });
  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <TextField
        label={texts.signIn.token}
        description={texts.signIn.tokenDescription}
        type="password"
        autoComplete="off"
        autoFocus
        value={token}
        onChange={setToken}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" look="primary" isDisabled={token.trim() === '' || isPending}>
        {texts.signIn.submit}
      </Button>
    </Form>
  );
}

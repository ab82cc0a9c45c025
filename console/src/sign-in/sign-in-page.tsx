import { useSessions } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { PageHead } from '../ui/page-head.js';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.js';

export function SignInPage() {
  const { openingError } = useSessions();
  return (
    <div className={styles.page}>
      <PageHead title={texts.signIn.title} subtitle={texts.signIn.subtitle} />
      {openingError !== null && <ErrorPanel error={openingError} />}
      <SignInForm />
    </div>
  );
}

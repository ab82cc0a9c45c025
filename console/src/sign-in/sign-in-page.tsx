import { texts } from '../texts/en.js';
import { PageHead } from '../ui/page-head.js';
import { OpeningError } from './opening-error.js';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.js';

export function SignInPage() {
  return (
    <div className={styles.page}>
      <PageHead title={texts.signIn.title} subtitle={texts.signIn.subtitle} />
      <OpeningError />
      <SignInForm />
    </div>
  );
}

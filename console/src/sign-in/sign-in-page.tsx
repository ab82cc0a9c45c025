import { texts } from '../texts/en.js';
import { NarrowPage } from '../ui/narrow-page.js';
import { PageHead } from '../ui/page-head.js';
import { OpeningError } from './opening-error.js';
import { SignInForm } from './sign-in-form.js';

export function SignInPage() {
  return (
    <NarrowPage>
      <PageHead title={texts.signIn.title} subtitle={texts.signIn.subtitle} />
      <OpeningError />
      <SignInForm />
    </NarrowPage>
  );
}

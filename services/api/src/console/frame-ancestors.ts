import { exactly } from '@postrider/shared/runtime/config';
import { words } from '@postrider/shared/runtime/variables';

const ORIGIN = /^(https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?|'self')$/i;

/** A comma-separated list of origins, as the directive `frame-ancestors` takes them. */
export const frameAncestors = exactly<string[]>('list', (text) => {
  const origins = words(text);
  const wrong = origins.find((origin) => !ORIGIN.test(origin));
  if (wrong !== undefined) throw new Error(`"${wrong}" is not an origin such as https://app.example.com`);
  return origins;
});

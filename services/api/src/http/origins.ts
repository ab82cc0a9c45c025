import { exactly } from '@postrider/shared/runtime/config';
import { words } from '@postrider/shared/runtime/variables';

/** A comma-separated list of origins of web pages, as browsers write them. Another spelling would never match. */
export const origins = exactly<string[]>('list', (text) => {
  const listed = words(text);
  const wrong = listed.find((origin) => !isOrigin(origin));
  if (wrong !== undefined) throw new Error(`"${wrong}" is not an origin such as https://chat.example.com`);
  return listed;
});

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

import { deliveryTexts } from './en/deliveries.js';
import { endpointTexts } from './en/endpoints.js';
import { optionTexts } from './en/options.js';
import { playgroundTexts } from './en/playground.js';
import { replayTexts } from './en/replays.js';
import { shellTexts } from './en/shell.js';
import { statsTexts } from './en/stats.js';
import { workspaceTexts } from './en/workspace-pages.js';

/** All texts of the console, in one language. Another language is a second object of this shape. */
export const texts = {
  language: 'en',
  product: 'Postrider',
  loading: 'Loading…',
  ...shellTexts,
  ...deliveryTexts,
  ...replayTexts,
  ...endpointTexts,
  ...statsTexts,
  ...optionTexts,
  ...workspaceTexts,
  ...playgroundTexts,
} as const;

import type { DemoData } from './demo-data.js';

/** The address of a page that shows the demo data. */
export type PageAddress = (demo: DemoData) => string;

/** The pages of docs/console.md. */
export const DOCUMENTED_PAGES: Readonly<Record<string, PageAddress>> = {
  overview: () => '/',
  endpoints: () => '/endpoints',
  'first-steps': () => '/endpoints/new',
  deliveries: () => '/deliveries',
  delivery: ({ retrying }) => `/deliveries/${retrying}`,
  replay: ({ failing }) => `/replays/new?endpointId=${failing}`,
};

/** Every page, but for that of a replay, which is tested where one is made. */
export const PAGES: Readonly<Record<string, PageAddress>> = {
  ...DOCUMENTED_PAGES,
  endpoint: ({ slow }) => `/endpoints/${slow}`,
  healthy: ({ healthy }) => `/endpoints/${healthy}`,
  failing: ({ failing }) => `/endpoints/${failing}`,
  disabled: ({ disabled }) => `/endpoints/${disabled}`,
  replays: () => '/replays',
  'event-types': () => '/event-types',
  notifications: () => '/notifications',
  members: () => '/members',
  tokens: () => '/tokens',
  'portal-links': () => '/portal-links',
  'audit-log': () => '/audit-log',
  'signature-check': () => '/signature-check',
};

/** Buttons that open a dialog, by page. */
export const DIALOGS: readonly (readonly [keyof typeof PAGES, RegExp])[] = [
  ['overview', /^Add workspace$/],
  ['endpoint', /^Edit$/],
  ['endpoint', /^Edit options$/],
  ['endpoint', /^Rotate secret$/],
  ['endpoint', /^Delete endpoint$/],
  ['disabled', /^Enable and replay$/],
  ['event-types', /^Show the schema of /],
  ['event-types', /^Publish a sample of /],
  ['members', /^Invite$/],
  ['members', /^Change role of /],
  ['members', /^Remove /],
  ['members', /^Revoke the invitation of /],
  ['tokens', /^Create token$/],
  ['tokens', /^Revoke /],
  ['portal-links', /^Revoke ptl_/],
];

/** Outlines on a grid of 24; the stroke has the colour of the text. */
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-4H4zM14 8h6V4h-6z',
  deliveries: 'M22 2 11 13M22 2l-7 20-4-9-9-4z',
  endpoints: 'M9 17H7A5 5 0 0 1 7 7h2M15 7h2a5 5 0 0 1 0 10h-2M8 12h8',
  replays: 'M3 12a9 9 0 1 0 3-6.7L3 8M3 3v5h5',
  eventTypes: 'M4 7h16M4 12h16M4 17h10',
  signature: 'M12 3 4 6v6c0 5 3.5 8 8 9 4.5-1 8-4 8-9V6zM9 12l2 2 4-4',
  notifications: 'M18 9a6 6 0 1 0-12 0c0 6-2 7-2 7h16s-2-1-2-7M10 20a2 2 0 0 0 4 0',
  members:
    'M16 20v-2a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4v2M9.500 10a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M21 20v-2a4 4 0 0 0-3-3.900M16 3.200a3.500 3.500 0 0 1 0 6.700',
  tokens: 'M15 9a5 5 0 1 0-4.600 5L12 15.500h2V18h2.500v2.500H21V17l-6.400-6.400M8.500 9h.01',
  portalLinks: 'M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5',
  auditLog: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5',
  menu: 'M4 6h16M4 12h16M4 18h16',
  check: 'M5 12.500 10 17l9-10',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration beside a text. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      aria-hidden="true"
      width="18"
      height="18"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

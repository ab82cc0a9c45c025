import type { IdKind } from '../domain/id.js';

/** Makes a fresh, time-ordered identifier. */
export type NewId = (kind: IdKind) => string;

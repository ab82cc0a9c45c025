import { createContext } from 'react';

/** A portal link is unknown, has expired or was revoked. Who has it can do nothing but ask for another one. */
export class LinkEnded extends Error {}

/** Whether the errors below are about the session of a portal link: who opened it knows of no token. */
export const IsLinkSession = createContext(false);

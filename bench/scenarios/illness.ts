import type { Group, Place } from '../world/population.js';
import { answering, healthy } from './groups.js';

/** A population, the groups whose figures are of interest, and what they must keep of what they have without ill ones. */
export interface Case {
  readonly label: string;
  readonly groups: readonly Group[];
  readonly watched: readonly string[];
  /** Share of their rate. */
  readonly keepsRate: number;
  /** Times their p99. */
  readonly worsensP99: number;
}

/** The group of the ill ones; nothing is promised to it. */
export const ILL = 'ill';

const ENDPOINTS = 500;
const ON_ONE_HOST = 50;
const SLOW_ON_ONE_HOST = 4;

const USUAL = { keepsRate: 0.98, worsensP99: 2 };
/** Four in ten are ill. */
const SEVERE = { keepsRate: 0.95, worsensP99: 3 };

const DEAD = answering({ kind: 'never' });
const SLOW = { kind: 'after', delayMs: 9_000 } as const;

export const NOBODY_ILL: Case = { label: 'none', ...halves(ENDPOINTS), ...USUAL };

export const CASES: readonly Case[] = [
  { label: '10 % dead', ...ill(0.1, DEAD), ...USUAL },
  { label: '20 % dead', ...ill(0.2, DEAD), ...USUAL },
  { label: '40 % dead', ...ill(0.4, DEAD), ...SEVERE },
  { label: '10 % slow', ...ill(0.1, answering(SLOW)), ...USUAL },
  { label: '40 % slow', ...ill(0.4, answering(SLOW)), ...SEVERE },
  { label: '5 % refusing', ...ill(0.05, { kind: 'refusing' }), ...USUAL },
  { label: '5 % unresolvable', ...ill(0.05, { kind: 'unresolvable' }), ...USUAL },
  { label: `${ON_ONE_HOST} on one host, ${SLOW_ON_ONE_HOST} slow`, ...oneHost(), ...USUAL },
];

type Population = Pick<Case, 'groups' | 'watched'>;

/** Half of them quick, half of them at the usual distance. */
function halves(count: number): Population {
  const quick = Math.ceil(count / 2);
  return {
    groups: [healthy('quick', quick, 1), healthy('steady', count - quick, 100)],
    watched: ['quick', 'steady'],
  };
}

function ill(share: number, place: Place): Population {
  const count = Math.round(ENDPOINTS * share);
  const { groups, watched } = halves(ENDPOINTS - count);
  return { groups: [...groups, { name: ILL, count, place }], watched };
}

function oneHost(): Population {
  const well = ON_ONE_HOST - SLOW_ON_ONE_HOST;
  return {
    groups: [
      ...halves(ENDPOINTS - ON_ONE_HOST).groups,
      { name: 'mates', count: well, place: answering({ kind: 'after', delayMs: 1 }, 'shared') },
      { name: ILL, count: SLOW_ON_ONE_HOST, place: answering(SLOW, 'shared') },
    ],
    watched: ['mates'],
  };
}

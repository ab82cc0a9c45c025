import type { EventAtEndpoint } from '@postrider/client';
import type { Command } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import type { Colour } from '../context/terminal.js';
import { STATUS_COLOURS } from './status-colours.js';

type Outcome = EventAtEndpoint['outcome'];

const OUTCOME_COLOURS: Readonly<Record<Outcome, Colour>> = {
  ...STATUS_COLOURS,
  not_subscribed: 'dim',
  filtered: 'dim',
  created_later: 'dim',
  deleted: 'dim',
  missed: 'red',
  unknown: 'yellow',
};

export function addEvents(program: Command, cli: Cli): void {
  const events = program.command('events').description('shows what became of events');
  events
    .command('explain <id>')
    .description('shows the delivery of an event to each endpoint, or why there is none')
    .action(cli.action(explain));
}

async function explain(
  { connect, output, terminal }: CommandContext,
  _: object,
  [eventId = '']: readonly string[],
): Promise<void> {
  const { client } = await connect();
  await output.list(client.events.explain(eventId), [
    { title: 'ENDPOINT', value: ({ endpointId }) => endpointId },
    { title: 'OUTCOME', value: ({ outcome }) => terminal.paint(OUTCOME_COLOURS[outcome], outcome) },
    { title: 'DELIVERY', value: ({ deliveryId }) => deliveryId ?? '–' },
    { title: 'URL', value: ({ url }) => url },
    { title: 'DETAIL', value: ({ detail }) => detail ?? '' },
  ]);
}

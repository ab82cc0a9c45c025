import type { Command } from 'commander';
import type { Cli } from '../context/cli.js';
import { LARGEST_PAGES } from './largest-pages.js';

export function addCatalogue(program: Command, cli: Cli): void {
  const catalogue = program.command('catalogue').description('shows the event types of the installation');
  catalogue
    .command('list')
    .description('lists all event types')
    .action(
      cli.action(async ({ connect, output }) => {
        const { client } = await connect();
        await output.list(client.paginate('/event-types', LARGEST_PAGES), [
          { title: 'EVENT TYPE', value: ({ name }) => name },
          {
            title: 'KIND',
            value: ({ builtIn, deprecated }) => (deprecated ? 'deprecated' : builtIn ? 'built-in' : 'custom'),
          },
          { title: 'DESCRIPTION', value: ({ description }) => description },
        ]);
      }),
    );
  catalogue
    .command('show <type>')
    .description('shows an event type with its schema and an example')
    .action(
      cli.action(async ({ connect, output }, _, [name = '']) => {
        const { client } = await connect();
        const type = await client.get('/event-types/{name}', { params: { path: { name } } });
        output.one(type, ({ description, schema, example }) => [
          `${name}: ${description}`,
          `schema ${JSON.stringify(schema, null, 2)}`,
          `example ${JSON.stringify(example, null, 2)}`,
        ]);
      }),
    );
}

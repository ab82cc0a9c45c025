import { Command, Option } from 'commander';
import { wholeNumber } from '../whole-number.js';
import { buildSite } from './build-site.js';
import { serveSite } from './serve-site.js';
import { sitePlaces } from './site-places.js';

const program = new Command('npm run docs --').description(
  'Builds the documentation as a site and serves it.',
);

program
  .command('serve', { isDefault: true })
  .description('builds the site and serves it on 127.0.0.1 until Ctrl-C')
  .addOption(
    new Option('--port <number>', 'port of the site')
      .env('DOCS_PORT')
      .default(4173)
      .argParser(wholeNumber(1, 65_535)),
  )
  .action(async ({ port }: { port: number }) => {
    // First, so that a port in use is reported at once.
    const { address } = await serveSite(sitePlaces('complete').html, port);
    await buildSite('complete');
    console.log(`Documentation: ${address}`);
  });

program
  .command('build')
  .description('builds the site and checks its links')
  .action(async () => {
    await buildSite('complete');
    console.log(`Documentation: ${sitePlaces('complete').html}`);
  });

program
  .command('check')
  .description('builds the site without search and colours of code, and checks its links')
  .action(() => buildSite('check'));

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

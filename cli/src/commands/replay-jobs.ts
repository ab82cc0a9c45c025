import type { Command } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { LARGEST_PAGES } from './largest-pages.js';
import { showJob } from './show-job.js';

const byId = (jobId = '') => ({ params: { path: { jobId } } });

export function addReplayJobs(program: Command, cli: Cli): void {
  const jobs = program.command('replay-jobs').description('shows and cancels replay jobs');
  jobs
    .command('list')
    .description('lists the jobs of the last 30 days, newest first')
    .action(cli.action(list));
  jobs
    .command('get <id>')
    .description('shows a job')
    .action(
      cli.action(async ({ connect, output }, _, [id]) => {
        const { client } = await connect();
        output.one(await client.get('/webhooks/replay-jobs/{jobId}', byId(id)), showJob);
      }),
    );
  jobs
    .command('cancel <id>')
    .description('ends a job; what it has replayed already is still delivered')
    .action(
      cli.action(async ({ connect, output }, _, [id]) => {
        const { client } = await connect();
        output.one(await client.post('/webhooks/replay-jobs/{jobId}/cancel', byId(id)), showJob);
      }),
    );
}

async function list({ connect, output }: CommandContext): Promise<void> {
  const { client } = await connect();
  await output.list(client.paginate('/webhooks/replay-jobs', LARGEST_PAGES), [
    { title: 'JOB', value: ({ jobId }) => jobId },
    { title: 'CREATED', value: ({ createdAt }) => createdAt },
    { title: 'STATUS', value: ({ status, dryRun }) => (dryRun ? `${status} (dry run)` : status) },
    { title: 'MATCHED', value: ({ matched }) => String(matched ?? '–') },
    { title: 'REPLAYED', value: ({ replayed }) => String(replayed) },
  ]);
}

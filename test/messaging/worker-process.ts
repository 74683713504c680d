import { workAtHand } from '@atrium/platform/database';
import { LoopWatch } from '@atrium/platform/observability';
import { startWorker } from './processes';
import { Shop } from './shop';

/**
 * A worker that begins the jobs it gets and never ends them; it says so on its standard output and waits to be killed. Where it spins,
 * the job keeps its event loop, and its watchdog ends it.
 */
async function main(): Promise<void> {
  const [redisUrl = '', databaseUrl = '', item = '', how = 'waits'] = process.argv.slice(2);
  const app = await startWorker({ redisUrl, databaseUrl });
  if (how === 'spins') new LoopWatch().start({ service: 'spec', databaseUrl, reportMs: 200, endMs: 600, describe: workAtHand });
  app.get(Shop).when(item, async () => {
    process.stdout.write(`began ${item}\n`);
    // The watchdog begins with the second tick.
    await new Promise((resolve) => setTimeout(resolve, how === 'spins' ? 500 : 2 ** 30));
    for (let n = 0; ;) n = (n + 1) % 7;
  });
  process.stdout.write('ready\n');
}

void main();

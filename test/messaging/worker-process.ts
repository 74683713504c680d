import { startWorker } from './processes';
import { Shop } from './shop';

/** A worker that begins the jobs it gets and never ends them; it says so on its standard output and waits to be killed. */
async function main(): Promise<void> {
  const [redisUrl = '', databaseUrl = '', item = ''] = process.argv.slice(2);
  const app = await startWorker({ redisUrl, databaseUrl });
  app.get(Shop).when(item, () => {
    process.stdout.write(`began ${item}\n`);
    return new Promise(() => undefined);
  });
  process.stdout.write('ready\n');
}

void main();

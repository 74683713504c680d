import { Pulse } from '@atrium/platform/kernel';
import { Client, type Pool, type PoolClient } from 'pg';
import type { Duplex } from 'node:stream';

const streamOf = (client: Client | PoolClient): Duplex => client.connection.stream;

/** Watches the database behind a pool: a server or pooler that is frozen is found out within two seconds, however long a statement may take. */
export class DatabasePulse extends Pulse {
  private readonly held: Set<PoolClient>;
  private readonly hear = (): void => this.recordActivity();

  constructor(pool: Pool) {
    const held = new Set<PoolClient>();
    super({
      part: 'The database',
      probe: (signal) => probe(pool, signal),
      onLost: () => {
        for (const client of held) streamOf(client).destroy();
      },
    });
    this.held = held;
    pool.on('remove', (client) => held.delete(client));
  }

  /** A connection of the pool: what it says counts as a sign of life, and it is cut when there is none. */
  watchConnection(client: PoolClient): void {
    if (this.held.has(client)) return;
    this.held.add(client);
    streamOf(client).on('data', this.hear);
  }
}

/** By a connection of its own, for those of the pool may wait for their turn. */
async function probe({ options }: Pool, signal: AbortSignal): Promise<void> {
  const client = new Client({ ...options, application_name: 'atrium-pulse' });
  client.on('error', () => undefined);
  const giveUp = (): void => void streamOf(client).destroy();
  signal.addEventListener('abort', giveUp, { once: true });
  await client.connect();
  await client.query('SELECT 1');
  signal.removeEventListener('abort', giveUp);
  await client.end();
}

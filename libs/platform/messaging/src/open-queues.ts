import type { Settings } from '@atrium/platform/config';
import { openPostgresQueues } from './postgres-queues';
import { QUEUE_TIMING, type Queues, type QueueTiming } from './queue-backend';
import { openRedisQueues } from './redis-queues';

/** Where the queues are: in Redis when it has an address, else in PostgreSQL. */
export interface QueueAddress {
  readonly redisUrl: string;
  readonly databaseUrl: string;
}

/** The database without a transaction pooler in between: listening, or setting a search path, needs a connection of its own. */
export const directUrl = ({ DATABASE_LISTEN_URL, DATABASE_URL }: Pick<Settings, 'DATABASE_LISTEN_URL' | 'DATABASE_URL'>): string =>
  DATABASE_LISTEN_URL || DATABASE_URL;

export const queueAddress = (settings: Pick<Settings, 'REDIS_URL' | 'DATABASE_LISTEN_URL' | 'DATABASE_URL'>): QueueAddress => ({
  redisUrl: settings.REDIS_URL,
  databaseUrl: directUrl(settings),
});

/** Opens the queues of this process. BullMQ and its drivers are loaded here, so that only workers pay for them. */
export async function openQueues({ redisUrl, databaseUrl }: QueueAddress, timing: QueueTiming = QUEUE_TIMING): Promise<Queues> {
  const bull = await import('bullmq');
  return redisUrl ? openRedisQueues(bull, redisUrl, timing) : openPostgresQueues(bull, databaseUrl, timing);
}

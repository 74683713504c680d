import { openPostgresQueues } from './postgres-queues';
import { QUEUE_TIMING, type Queues, type QueueTiming } from './queue-backend';
import { openRedisQueues } from './redis-queues';

/** Where the queues live: Redis when it has an address, else PostgreSQL. */
export interface QueueAddress {
  readonly redisUrl: string;
  readonly databaseUrl: string;
}

/** Opens the queues of this process. BullMQ and its drivers are loaded here, so that only workers pay for them. */
export async function openQueues({ redisUrl, databaseUrl }: QueueAddress, timing: QueueTiming = QUEUE_TIMING): Promise<Queues> {
  const bull = await import('bullmq');
  return redisUrl ? openRedisQueues(bull, redisUrl, timing) : openPostgresQueues(bull, databaseUrl, timing);
}

import { BullQueues, type Queues, type QueueTiming } from './queue-backend';
import { openRedis } from './redis-connection';

/** Queues in Redis or Valkey. Producers give up soon, so that a relay notices; workers wait for the connection to come back. */
export async function openRedisQueues(bull: typeof import('bullmq'), url: string, timing: QueueTiming): Promise<Queues> {
  const producers = await openRedis(url, 'queues', { maxRetriesPerRequest: 2 });
  const workers = await openRedis(url, 'workers', { maxRetriesPerRequest: null });
  const connections = {
    classes: bull.withBackend(bull.createRedisBackend),
    forQueues: producers,
    forWorkers: workers,
    drainDelaySeconds: 5,
    // One hash tag a queue: its keys share a slot of a cluster, different queues do not.
    prefixOf: (queue: string) => `{atrium:${queue}}`,
    close: async () => {
      producers.disconnect();
      workers.disconnect();
    },
  };
  return new BullQueues(connections, bull, timing);
}

import { SECOND } from '@atrium/platform/kernel';
import { BullQueues, type Queues, type QueueTiming } from './queue-backend';
import { openRedis, patient, PROMPT } from './redis-connection';

const DRAIN_SECONDS = 5;
const ANSWER_MS = 3 * SECOND;

/** Queues in Redis or Valkey. Producers give up soon, so that a relay notices; workers wait for the connection to come back. */
export async function openRedisQueues(bull: typeof import('bullmq'), url: string, timing: QueueTiming): Promise<Queues> {
  const producers = await openRedis(url, 'queues', { ...PROMPT, commandTimeout: ANSWER_MS, socketTimeout: ANSWER_MS });
  const workers = await openRedis(url, 'workers', patient(DRAIN_SECONDS * SECOND));
  const connections = {
    classes: bull.withBackend(bull.createRedisBackend),
    forQueues: producers,
    forWorkers: workers,
    drainDelaySeconds: DRAIN_SECONDS,
    // One hash tag a queue: its keys share a slot of a cluster, different queues do not.
    prefixOf: (queue: string) => `{atrium:${queue}}`,
    check: () => producers.ping(),
    renew: () => {
      if (producers.status === 'ready') producers.disconnect(true);
    },
    close: async () => {
      producers.disconnect();
      workers.disconnect();
    },
  };
  return new BullQueues(connections, bull, timing);
}

import type { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { StreamFenced, type EventStreams, type Fence } from '@atrium/platform/messaging';
import { RunEvents } from './run-events';

const FENCE = { run_id: 'r1', attempt: 2 };

function eventsOver(appendAll: (stream: string, events: readonly JsonObject[], fence: Fence) => Promise<string>): RunEvents {
  return new RunEvents({} as Database, { appendAll } as unknown as EventStreams);
}

describe('events of a run without a thread', () => {
  it('are stored together, each with the run and its attempt, under the fence of the attempt', async () => {
    const asked: unknown[] = [];
    const events = eventsOver((...all) => {
      asked.push(all);
      return Promise.resolve('7');
    });
    await expect(events.sendEvents([{ op: 'delta', text: 'a' }, { op: 'step' }], FENCE)).resolves.toBe('7');
    const stored = [
      { op: 'delta', text: 'a', run_id: 'r1', attempt: 2 },
      { op: 'step', run_id: 'r1', attempt: 2 },
    ];
    expect(asked).toEqual([['run/r1', stored, { name: 'r1', token: 2 }]]);
  });

  it('stop nothing where the store is away, but an attempt that was replaced', async () => {
    const away = eventsOver(() => Promise.reject(new Error('away')));
    await expect(away.sendEvents([{ op: 'step' }], FENCE)).resolves.toBeNull();
    const replaced = eventsOver((_stream, _events, fence) => Promise.reject(new StreamFenced(fence)));
    await expect(replaced.sendEvents([{ op: 'step' }], FENCE)).rejects.toBeInstanceOf(StreamFenced);
  });
});

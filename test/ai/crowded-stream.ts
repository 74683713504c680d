import { Redis } from 'ioredis';
import { EventStreams, FROM_START } from '@atrium/platform/messaging';
import { inWorkspace } from '@atrium/platform/database';
import type { RunningApi } from '@atrium/platform/testing';

const NOISE = JSON.stringify({ kind: 'assistant_message', data: { op: 'step', msg_id: 'another', step: 1, usage: null } });
const PAGE = 1_000;

/** Many entries behind those of a thread, written past the service, which would take its time for them. */
export async function crowdStream(api: RunningApi, tenant_id: string, thread_id: string, count: number): Promise<void> {
  const url = api.environment.REDIS_URL;
  if (!url) {
    await api.sql(
      `INSERT INTO stream_event (tenant_id, se_stream, se_id, se_event)
       SELECT $1, $2, (SELECT max(se_id) FROM stream_event WHERE tenant_id = $1 AND se_stream = $2) + n, $3::jsonb FROM generate_series(1, $4::integer) n`,
      [tenant_id, `thread/${thread_id}`, NOISE, count],
    );
    return;
  }
  const redis = new Redis(url);
  const pipeline = redis.pipeline();
  for (let at = 0; at < count; at++) pipeline.xadd(`atrium:stream:{${tenant_id}:thread/${thread_id}}`, '*', 'e', NOISE);
  await pipeline.exec();
  redis.disconnect();
}

/** How many entries the stream of a thread has. */
export async function entriesOf(api: RunningApi, tenant_id: string, thread_id: string): Promise<number> {
  return (await entryIds(api, tenant_id, thread_id)).length;
}

/** The ids of all entries of a thread, oldest first. */
export async function entryIds(api: RunningApi, tenant_id: string, thread_id: string): Promise<string[]> {
  const streams = api.app.get(EventStreams, { strict: false });
  const ids: string[] = [];
  for (let from = FROM_START; ;) {
    const { events } = await inWorkspace(tenant_id, () => streams.readEvents(`thread/${thread_id}`, from, PAGE));
    ids.push(...events.map(({ id }) => id));
    if (events.length < PAGE) return ids;
    from = events.at(-1)?.id ?? from;
  }
}

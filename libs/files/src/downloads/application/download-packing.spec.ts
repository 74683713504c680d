import type { RetentionPolicies } from '@atrium/governance';
import { runInScope, SYSTEM_ACTOR, type Database } from '@atrium/platform/database';
import { Problem, type DomainEvent } from '@atrium/platform/kernel';
import { PermanentFailure, WorkEngine, type JobRun, type Outbox } from '@atrium/platform/messaging';
import type { ObjectStore } from '@atrium/platform/storage';
import { Readable } from 'node:stream';
import { DownloadJob } from '../domain/download-job';
import type { DownloadJobsRepository } from '../infrastructure/download-jobs.repository';
import type { ArchiveAccount } from './archive-account';
import type { Archives, PackingOptions } from './archives';
import type { DownloadContents } from './download-contents';
import { DownloadPacking } from './download-packing';
import { DownloadRuns } from './download-runs';
import type { FileEgress } from './file-egress';

const NOW = new Date('2026-03-01T12:00:00Z');
const clock = { now: () => NOW, after: (ms: number) => new Date(NOW.getTime() + ms) };
const LEFT = 't/t/archives/j/left-by-a-lost-run';

/** A job as it is stored, and the archives that storage has; `put` is what happens while the archive is stored. */
function packingOf(
  put: (stored: DownloadJob) => void = () => undefined,
  items: readonly { readonly file_id: string; readonly isPacked?: boolean }[] = [],
) {
  const stored = Object.assign(
    new DownloadJob(),
    { tenant_id: 't', job_id: 'j', status: 'queued', file_ids: ['a'], file_count: 1, done: 0, total: 1, archive_key: null },
    { archive_size: null, skipped: [], error: null, expires_at: null, job_created_by: 'ann', job_started: null, job_finished: null },
  );
  const kept = new Set([LEFT]);
  const packed: (number | null)[] = [];
  const progress: number[] = [];
  const sent: number[] = [];
  const events: DomainEvent[] = [];
  const unit = (work: () => unknown): unknown => work();
  const db = { write: unit, read: unit } as unknown as Database;
  const rows = {
    lock: () => Promise.resolve(Object.assign(new DownloadJob(), stored)),
    findRow: () => Promise.resolve(stored),
    save: (row: DownloadJob) => Promise.resolve(void Object.assign(stored, row)),
    recordProgress: (_: unknown, done: number) => Promise.resolve(void progress.push(done)),
  } as unknown as DownloadJobsRepository;
  const store = {
    putObject: (key: string) => {
      put(stored);
      kept.add(key);
      return Promise.resolve({ size: 10 });
    },
    list: () => Readable.from([...kept].map((key) => ({ key }))),
    delete: (keys: readonly string[]) => Promise.resolve(keys.forEach((key) => kept.delete(key))),
  } as unknown as ObjectStore;
  const engine = new WorkEngine(db, { emitEvent: (event: DomainEvent) => void events.push(event) } as unknown as Outbox, clock);
  const runs = new DownloadRuns(
    engine,
    rows,
    { countPacked: ({ archive_size }: DownloadJob) => void packed.push(archive_size) } as unknown as ArchiveAccount,
    { chargeEgress: ({ bytes }: { bytes: number }) => void sent.push(bytes) } as unknown as FileEgress,
  );
  const packing = new DownloadPacking(
    db,
    store,
    rows,
    runs,
    {
      packArchive: async (_: unknown, { onFile }: PackingOptions) => {
        for (const { isPacked = true } of items) await onFile?.(isPacked);
        const skipped = items.flatMap(({ isPacked = true, file_id }) => (isPacked ? [] : [{ file_id, reason: 'lost' as const }]));
        return { stream: Readable.from([]), packed: Promise.resolve(skipped) };
      },
    } as unknown as Archives,
    { listItems: () => [] } as unknown as DownloadContents,
    { readDays: () => Promise.resolve(7) } as unknown as RetentionPolicies,
    clock,
  );
  const pack = (run: Partial<JobRun> = {}): Promise<void> =>
    runInScope({ tenant_id: 't', actor: SYSTEM_ACTOR, request_id: 'r' }, () =>
      packing.packDownload('j', {
        signal: new AbortController().signal,
        heartbeat: () => Promise.resolve(),
        givesUpOn: () => Promise.resolve(false),
        ...run,
      } as unknown as JobRun),
    );
  return { stored, kept, packed, progress, sent, events, runs, pack };
}

describe('the packing of an archive', () => {
  it('completes the job, reports what is stored and sent, and removes what lost runs have left', async () => {
    const { stored, kept, packed, sent, events, pack } = packingOf();
    await pack();
    expect(stored).toMatchObject({ status: 'completed', done: 1, archive_size: 10, expires_at: new Date('2026-03-08T12:00:00Z') });
    expect([...kept]).toEqual([stored.archive_key]);
    expect([packed, sent, events.map(({ name }) => name)]).toEqual([[10], [10], ['download_job.completed']]);
  });

  it('counts the files that are packed, and not those that are skipped', async () => {
    const items = Array.from({ length: 30 }, (_, at) => ({ file_id: String(at), isPacked: at >= 20 }));
    const { stored, progress, pack } = packingOf(undefined, items);
    stored.total = items.length;
    await pack();
    expect(progress).toEqual([5]);
    expect(stored).toMatchObject({ status: 'completed', done: 10, failed: 20 });
  });

  it('that another run has followed removes its own archive and nothing else', async () => {
    const { stored, kept, packed, pack } = packingOf((job) => job.begin(clock));
    await pack();
    expect(stored).toMatchObject({ status: 'running', archive_size: null });
    expect([[...kept], packed]).toEqual([[LEFT], []]);
  });

  it('that learns from its queue that another run has followed removes its own archive all the same', async () => {
    const overtaken = new Error('Another worker has the job.');
    const { stored, kept, packed, pack } = packingOf((job) => job.begin(clock));
    await expect(pack({ heartbeat: () => Promise.reject(overtaken) })).rejects.toBe(overtaken);
    expect(stored).toMatchObject({ status: 'running', archive_size: null });
    expect([[...kept], packed]).toEqual([[LEFT], []]);
  });

  it('that another run has followed and completed removes its own archive and no other that counts', async () => {
    const { stored, kept, pack } = packingOf((job) => {
      job.begin(clock);
      job.finish({ status: 'completed', archive: { size: 4, skipped: [], days: 7 } }, clock);
      kept.add(String(job.archive_key));
    });
    await pack();
    expect([...kept]).toEqual([stored.archive_key]);
  });

  it('that its queue has given up while it ran leaves no archive, of whatever run', async () => {
    const { stored, kept, packed, pack } = packingOf((job) => job.finish({ status: 'failed', error: 'Its workers were lost.' }, clock));
    await pack();
    expect(stored).toMatchObject({ status: 'failed', error: 'Its workers were lost.', archive_size: null });
    expect([[...kept], packed]).toEqual([[], []]);
  });

  it('that was cancelled in the last moment leaves no archive, of whatever run', async () => {
    const { stored, kept, packed, events, pack } = packingOf((job) => job.cancel(clock));
    await pack();
    expect(stored).toMatchObject({ status: 'cancelled', archive_size: null });
    expect([[...kept], packed, events]).toEqual([[], [], []]);
  });

  it.each([new PermanentFailure('The album “Secret” is gone.'), new Problem('not_found', 'The album “Secret” is gone.')])(
    'fails without naming what its reader may not see',
    async (fault) => {
      const { stored, pack } = packingOf(() => {
        throw fault;
      });
      await pack();
      expect(stored).toMatchObject({ status: 'failed', error: 'The archive could not be created. Request it again.' });
    },
  );

  it('is left to the queue after a fault that may pass', async () => {
    const fault = new Error('storage');
    const { stored, pack } = packingOf(() => {
      throw fault;
    });
    await expect(pack()).rejects.toBe(fault);
    expect(stored.status).toBe('running');
  });

  it('that its queue has given up ends with the reason', async () => {
    const { stored, runs } = packingOf();
    await runs.giveUp('j', 'Its workers were lost.');
    expect(stored).toMatchObject({ status: 'failed', error: 'Its workers were lost.' });
  });
});

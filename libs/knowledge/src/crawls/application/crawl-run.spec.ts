import { MINUTE, type Clock } from '@atrium/platform/kernel';
import { JobPause, type JobRun } from '@atrium/platform/messaging';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import { CrawlRun } from './crawl-run';

const BEGAN = Date.parse('2026-03-01T10:00:00Z');

/** A crawl of one page, which its site lets wait as long as `waits` says; with what is written of the place of its job. */
class Crawled {
  now = BEGAN;
  /** Milliseconds until the page may be asked for; 0: now, null: it was. */
  waits: number | null = 0;
  readonly job = { job_id: 'job', job_crawl: 'crawl', job_order: {}, job_place: { begun: true, seeded: true } } as unknown as KnowledgeJob;
  private readonly run_ = new CrawlRun(
    ...([
      { read: (work: () => Promise<unknown>) => work(), write: (work: () => Promise<unknown>) => work() },
      { lock: () => Promise.resolve(this.crawl), findRow: () => Promise.resolve(this.crawl), save: () => Promise.resolve() },
      {
        findNextPages: () => Promise.resolve(this.waits === 0 ? [{ page_id: 'page', url: 'https://example.com/', depth: 0 }] : []),
        waitMs: () => Promise.resolve(this.waits),
        countPages: () => Promise.resolve(1),
        countOutcomes: () => Promise.resolve({ failed: 0, taken: 1 }),
        findPage: () => Promise.resolve(undefined),
      },
      { fetchRobots: () => Promise.resolve(null) },
      { visitPage: () => Promise.resolve({ kind: 'unchanged' }) },
      {},
      { settlePage: () => Promise.resolve(void (this.waits = this.afterPage)) },
      { handleMissing: () => Promise.resolve(0) },
      {
        findAsker: () => Promise.resolve({}),
        assertRunning: () => Promise.resolve(),
        recordStep: (_: unknown, { place = {} }: { place?: object }) => Promise.resolve(void Object.assign(this.job.job_place, place)),
      },
      {},
      { requireReadable: () => Promise.resolve({}) },
      { now: () => new Date(this.now) } as Clock,
    ] as unknown as ConstructorParameters<typeof CrawlRun>),
  );
  private readonly crawl = {
    crw_url: 'https://example.com/',
    crw_base: 'base',
    crw_id: 'crawl',
    crw_pass: 1,
    settings: { mode: 'page', include: [], exclude: [], delay_ms: 0, concurrency: 1 },
    endPass: () => undefined,
  };
  /** What the page says to wait once it was asked for. */
  afterPage: number | null = null;

  run(): Promise<unknown> {
    return this.run_.runCrawl(this.job, { signal: new AbortController().signal } as JobRun);
  }
}

describe('a crawl that pauses', () => {
  let crawled: Crawled;
  beforeEach(() => (crawled = new Crawled()));

  it('goes on however long it waits for a worker', async () => {
    crawled.waits = MINUTE;
    await expect(crawled.run()).rejects.toBeInstanceOf(JobPause);
    crawled.now += 45 * MINUTE;
    crawled.waits = 0;
    await expect(crawled.run()).resolves.toMatchObject({ status: 'completed' });
    crawled = new Crawled();
    crawled.waits = MINUTE;
    await expect(crawled.run()).rejects.toBeInstanceOf(JobPause);
    crawled.now += 45 * MINUTE;
    await expect(crawled.run()).rejects.toBeInstanceOf(JobPause);
    expect(crawled.job.job_place).toMatchObject({ idle_ms: 2 * MINUTE });
  });

  it('begins to count again with the first page, also where the job is handed back later', async () => {
    crawled.waits = 5 * MINUTE;
    await expect(crawled.run()).rejects.toBeInstanceOf(JobPause);
    [crawled.waits, crawled.afterPage] = [0, MINUTE];
    await expect(crawled.run()).rejects.toBeInstanceOf(JobPause);
    expect(crawled.job.job_place).toMatchObject({ idle_ms: MINUTE });
    await expect(crawled.run()).rejects.toBeInstanceOf(JobPause);
    crawled.waits = 0;
    crawled.afterPage = null;
    await crawled.run();
    expect(crawled.job.job_place).toMatchObject({ idle_ms: 0 });
  });

  it('ends when its pauses come to more than 30 minutes without a page', async () => {
    crawled.waits = 5 * MINUTE;
    for (let pause = 0; pause < 7; pause++) await expect(crawled.run()).rejects.toBeInstanceOf(JobPause);
    await expect(crawled.run()).rejects.toThrow('not returned a page for 30 minutes');
  });

  it('asks for a page that is due before it ends', async () => {
    Object.assign(crawled.job.job_place, { idle_ms: 31 * MINUTE });
    await expect(crawled.run()).resolves.toMatchObject({ status: 'completed' });
  });
});

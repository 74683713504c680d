import type { Principal } from '@atrium/platform/access';
import type { ArchiveContents, ArchiveItem } from './archive-contents';
import { DownloadContents } from './download-contents';
import type { DownloadRuns } from './download-runs';

const IDS = Array.from({ length: 60 }, (_, at) => `f${at}`);
const job = { job_id: 'j', file_ids: IDS, size: 'original' as const, job_created_by: 'ann', job_key: 'k' };

/** Each batch is found for the caller as they are then: `askers` in turn. */
function contentsOf(askers: readonly (Principal | Error)[]) {
  const turns = [...askers];
  const asked: unknown[] = [];
  const runs = {
    findAsker: ({ job_created_by, job_key }: typeof job) => {
      asked.push([job_created_by, job_key]);
      const next = turns.shift();
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
  } as unknown as DownloadRuns;
  const contents = {
    findItems: ({ user_id }: Principal, ids: readonly string[]) =>
      Promise.resolve(ids.map((file_id): ArchiveItem => ({ file_id, reason: 'not_found', name: String(user_id) }))),
  } as unknown as ArchiveContents;
  return { asked, contents: new DownloadContents(contents, runs) };
}

const as = (user_id: string): Principal => ({ user_id }) as Principal;

describe('what goes into the archive of a member', () => {
  it('is found batch by batch with the rights that they have then', async () => {
    const { asked, contents } = contentsOf([as('first'), as('second'), as('third')]);
    const items: ArchiveItem[] = [];
    for await (const item of contents.listItems(job)) items.push(item);
    expect(items.map(({ file_id }) => file_id)).toEqual(IDS);
    expect([items[0], items[25], items[50]]).toMatchObject([{ name: 'first' }, { name: 'second' }, { name: 'third' }]);
    expect(asked).toEqual([
      ['ann', 'k'],
      ['ann', 'k'],
      ['ann', 'k'],
    ]);
  });

  it('is nothing once the member or key is gone', async () => {
    const { contents } = contentsOf([as('first'), new Error('gone')]);
    const items: string[] = [];
    await expect(
      (async () => {
        for await (const { file_id } of contents.listItems(job)) items.push(file_id);
      })(),
    ).rejects.toThrow('gone');
    expect(items).toHaveLength(25);
  });
});

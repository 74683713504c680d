import { runInScope, SYSTEM_ACTOR, type Database, type Sql } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { BackgroundJobRows } from './background-job.rows';

describe('the row of a background job', () => {
  it('is locked for one unit of work alone, as that will write it, and not for those that refer to it', async () => {
    const sent: string[] = [];
    const first = ({ sql }: Sql): Promise<unknown> => Promise.resolve(void sent.push(sql));
    const rows = new BackgroundJobRows({ current: () => ({ first }) } as unknown as Database);
    const scope = { tenant_id: newId(), actor: SYSTEM_ACTOR, request_id: 'r' };
    expect(await runInScope(scope, () => rows.lockUnfinished('j'))).toBe(false);
    expect(sent).toEqual([expect.stringMatching(/ FOR NO KEY UPDATE$/)]);
  });
});

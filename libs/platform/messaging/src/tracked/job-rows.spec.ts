import { PermissionSet, type Principal } from '@atrium/platform/access';
import { sql } from '@atrium/platform/database';
import { columnsOfJobs, hasStatus, rowsShownTo, type JobRows } from './job-rows';

const rows = (changes: Partial<JobRows> = {}): JobRows => ({
  from: sql`parcel r`,
  where: sql`OURS`,
  requester: sql`r.job_created_by`,
  permitted: true,
  subjects: sql`OPEN`,
  job_kind: sql`'shop.pack'`,
  queue: null,
  subject: null,
  href: sql`'/'`,
  ...changes,
});
const caller = (key_id: string | null = null): Principal =>
  ({ user_id: 'ann', key_id, permissions: PermissionSet.of([]) }) as unknown as Principal;
/** Each set as its condition and whether what the work came to is hidden. */
const shown = (changes: Partial<JobRows>, key: string | null = null): (string | null)[][] =>
  rowsShownTo(caller(key), rows(changes)).map(({ where, readable }) => [where.text.replace(/\s+/g, ' '), readable?.text ?? null]);

const MINE = 'OURS AND r.job_created_by = $1::uuid';

describe('the jobs that a caller sees', () => {
  it('are their own and those of subjects that they may see', () => {
    expect(shown({})).toEqual([
      [MINE, '(true AND OPEN)'],
      ['OURS AND r.job_created_by IS DISTINCT FROM $1::uuid AND true AND OPEN', null],
    ]);
  });

  it('are their own without any right to the kind, without what they came to', () => {
    for (const subjects of [sql`OPEN`, 'all', null] as const) {
      const [own, ...others] = shown({ permitted: false, subjects });
      expect([own?.[0], others]).toEqual([MINE, []]);
      expect(own?.[1]).toContain('false');
    }
  });

  it('of a key take a permission of the kind', () => {
    expect(shown({ permitted: false }, 'key')).toEqual([]);
    expect(shown({ permitted: sql`KIND`, subjects: null }, 'key')).toEqual([[`${MINE} AND KIND`, '(KIND AND true)']]);
  });

  it('are all in one set where their subjects are open to everyone with the permission, or requested by nobody', () => {
    expect(shown({ subjects: 'all' })).toEqual([['OURS', null]]);
    expect(shown({ requester: null })).toEqual([['OURS AND true AND OPEN', null]]);
    expect(shown({ requester: null, permitted: false })).toEqual([]);
  });

  it('say what they came to where it may be read', () => {
    const hidden = columnsOfJobs(0, { rows: rows(), readable: sql`MAY` }).text;
    expect(hidden.match(/CASE WHEN MAY THEN/g)).toHaveLength(2);
    expect(columnsOfJobs(0, { rows: rows(), readable: null }).text).not.toContain('CASE WHEN');
  });
});

describe('jobs of a status', () => {
  it.each([
    ['running', "r.status IN ('queued', 'running') AND r.status = $1"],
    ['partial', "r.status IN ('failed', 'partial') AND r.status = $1"],
    ['completed', 'r.status = $1'],
  ])('%s are found in the words of the partial index', (status, condition) => {
    expect(hasStatus(rows(), status).text).toBe(condition);
  });
});

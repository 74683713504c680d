import { Database, inWorkspace } from '@atrium/platform/database';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { asAdmin, ask, planInside } from '../architecture/asking';
import { startAtrium } from '../support/api';
import { MessageCounter } from './message-counter';

const MANY = 100_000;
const FEW = 1_000;

let api: RunningApi;
let large: TestWorkspace;
let small: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  large = await api.workspace();
  small = await api.workspace();
  await api.sql('ALTER TABLE workspace_user DISABLE TRIGGER USER');
  await fill(large, MANY);
  await fill(small, FEW);
  await api.sql('ALTER TABLE workspace_user ENABLE TRIGGER USER');
  await api.sql('ANALYZE workspace_user');
}, 120_000);
afterAll(() => api.close());

/** Members with names of hexadecimal words, so that no needle of the tests is among them by chance. */
async function fill({ tenant_id }: TestWorkspace, count: number): Promise<void> {
  await api.sql(
    `INSERT INTO workspace_user (tenant_id, user_id, user_email, user_name, user_title, user_status, user_created)
     SELECT $1, gen_random_uuid(), substr(md5(n::text), 1, 10) || n || '@' || substr(md5((n % 50)::text), 1, 8) || '.example', substr(md5((n * 7)::text), 1, 7) || ' ' || substr(md5((n * 13)::text), 1, 9),
            CASE WHEN n % 10 = 0 THEN substr(md5((n % 300)::text), 1, 12) END, CASE WHEN n % 20 = 0 THEN 'removed' WHEN n % 33 = 0 THEN 'invited' ELSE 'active' END, now() - n * interval '1 second'
     FROM generate_series(1, $2::int) n`,
    [tenant_id, count],
  );
  await api.sql(
    `INSERT INTO workspace_user (tenant_id, user_id, user_email, user_name, user_title) SELECT $1, gen_random_uuid(), x.email, x.name, x.title
     FROM (VALUES ('ylva.lindqvist@harbour.example', 'Ylva Lindqvist', 'Picture editor'), ('hjalmar@harbour.example', 'Hjalmar Qvist', 'Press'), ('50%_off@shop.example', '50%_Off', NULL)) AS x (email, name, title)`,
    [tenant_id],
  );
}

interface People {
  readonly data: readonly { readonly user_id: string; readonly user_name: string }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
const people = async (workspace: TestWorkspace, query: string): Promise<People> =>
  (await workspace.owner.client.get(`/admin/users?${query}`).expect(200)).body as People;
const names = async (workspace: TestWorkspace, query: string): Promise<string[]> =>
  (await people(workspace, query)).data.map(({ user_name }) => user_name).sort();

/** What EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) answers. */
interface Explained {
  readonly 'QUERY PLAN': readonly [{ Plan: { 'Actual Rows': number; 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
}

/** Blocks that a statement touched, and how many rows it found. */
function touched(explained: Explained | null | undefined): { readonly blocks: number; readonly rows: number } {
  const plan = explained!['QUERY PLAN'][0].Plan;
  return { blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], rows: plan['Actual Rows'] };
}

describe('searching among a hundred thousand members', () => {
  it('[identity 29] uses the trigram index inside the function, and finds nothing for another workspace or none', async () => {
    expect(await names(large, 'full_text_search=lindqvist')).toEqual(['Ylva Lindqvist']);
    for (const [part, needle] of [
      ['any', 'lindqvist'],
      ['name', 'lindqvist'],
      ['email', 'ylva.lind'],
    ] as const) {
      const call = `SELECT * FROM users_search('${part}', '{%${needle}%}', '{}')`;
      const plan = await planInside(asAdmin(api.database), large.tenant_id, call);
      expect(plan).toContain('Bitmap Index Scan on workspace_user_search');
      expect(plan).not.toContain('Seq Scan on workspace_user');
      const found = await ask<{ users_search: string }>(api.database.appUrl, call, { tenant: large.tenant_id });
      expect(found).toHaveLength(1);
      const elsewhere = await ask<{ users_search: string }>(api.database.appUrl, call, { tenant: small.tenant_id });
      expect(elsewhere).toHaveLength(1);
      expect(elsewhere).not.toEqual(found);
      const empty = await api.workspace();
      expect(await ask(api.database.appUrl, call, { tenant: empty.tenant_id })).toEqual([]);
      expect(await ask(api.database.appUrl, call)).toEqual([]);
    }
  });

  it('finds parts of names, addresses and titles, phrases, alternatives and what something is not', async () => {
    expect(await names(large, 'full_text_search=QVIST')).toEqual(['Hjalmar Qvist', 'Ylva Lindqvist']);
    expect(await names(large, 'full_text_search=qvist harbour -press')).toEqual(['Ylva Lindqvist']);
    expect(await names(large, `full_text_search=${encodeURIComponent('"picture ed" or hjalmar')}`)).toEqual([
      'Hjalmar Qvist',
      'Ylva Lindqvist',
    ]);
    expect(await names(large, `full_text_search=${encodeURIComponent('50%_')}`)).toEqual(['50%_Off']);
    expect(await names(large, `full_text_search=${encodeURIComponent('""')}`)).toEqual([]);
    expect(await names(large, 'user_name=lindq')).toEqual(['Ylva Lindqvist']);
    expect(await names(large, 'user_email=%40harbour.exa')).toEqual(['Hjalmar Qvist', 'Ylva Lindqvist']);
    expect(await names(large, 'user_name=harbour')).toEqual([]);
    expect((await large.owner.client.get('/users?user_name=lindq').expect(200)).body).toMatchObject({
      data: [{ user_name: 'Ylva Lindqvist' }],
    });
  });

  it('reads a fraction of what looking at every row reads', async () => {
    const [all, found] = await inWorkspace(large.tenant_id, () =>
      api.app.get(Database, { strict: false }).read(async (tx) => {
        const blocks = async (statement: string): Promise<number> => {
          const { blocks: read, rows } = touched(await tx.first<Explained>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`));
          expect(rows).toBe(1);
          return read;
        };
        const scan = `SELECT user_id FROM workspace_user WHERE user_search LIKE '%lindqvist%'`;
        const search = `SELECT * FROM users_search('any', '{%lindqvist%}', '{}')`;
        // The connection learns the catalog with the first of each.
        for (const statement of [scan, search]) await blocks(statement);
        return [await blocks(scan), await blocks(search)] as const;
      }),
    );
    expect(all / found).toBeGreaterThan(4);
  });
});

describe('a page of a hundred thousand members', () => {
  it('takes as many statements as one of a thousand, whatever is on it', async () => {
    const counter = new MessageCounter(api);
    try {
      const statements = async (workspace: TestWorkspace, query: string): Promise<number> => {
        await people(workspace, query);
        await counter.quiet();
        counter.reset();
        await people(workspace, query);
        await counter.quiet();
        return counter.naming('workspace_user') + counter.naming('user_role_link');
      };
      const counts = [
        await statements(large, 'limit=50'),
        await statements(small, 'limit=50'),
        await statements(large, 'limit=100'),
        await statements(small, 'limit=2'),
      ];
      expect(new Set(counts)).toEqual(new Set([2]));
      // A large page is asked for in two parts: the second when the size of the first rows is known.
      expect(await statements(large, 'limit=500')).toBe(await statements(large, 'limit=1000'));
      expect(await statements(large, 'limit=1000')).toBeLessThanOrEqual(4);
    } finally {
      counter.close();
    }
  });

  it('comes through an index in every order', async () => {
    const counter = new MessageCounter(api);
    try {
      const planOf = async (query: string, values: readonly unknown[]): Promise<string> => {
        counter.reset();
        await people(large, query);
        const text = counter.texts.find((one) => one.includes('FROM "workspace_user" r'));
        return (await ask<Record<string, string>>(api.database.appUrl, `EXPLAIN ${text}`, { tenant: large.tenant_id, values }))
          .map((line) => line['QUERY PLAN'])
          .join('\n');
      };
      expect(await planOf('user_status=invited', [large.tenant_id, 'invited', 51])).toContain(
        'using workspace_user_status on workspace_user',
      );
      expect(await planOf('user_status=active', [large.tenant_id, 'active', 51])).toMatch(
        /using workspace_user_(status|created) on workspace_user/,
      );
      const orders = {
        '-user_created': 'created',
        user_created: 'created',
        user_name: 'name',
        '-user_name': 'name',
        user_email: 'email',
        '-user_last_seen_at': 'seen',
      };
      for (const [sort, index] of Object.entries(orders)) {
        const plan = await planOf(`sort=${sort}`, [large.tenant_id, 51]);
        expect(plan).toContain(`using workspace_user_${index} on workspace_user`);
        expect(plan).not.toMatch(/Sort|Seq Scan on workspace_user/);
      }
    } finally {
      counter.close();
    }
  });

  it('reads about as much as one of a thousand', async () => {
    const counter = new MessageCounter(api);
    try {
      /** Blocks that the statement of a page touches, whatever else the machine does. */
      const blocksOf = async (workspace: TestWorkspace): Promise<number> => {
        counter.reset();
        await people(workspace, 'limit=50&user_status=active');
        const text = counter.texts.find((one) => one.includes('FROM "workspace_user" r'));
        const [explained] = await ask<Explained>(api.database.appUrl, `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, {
          tenant: workspace.tenant_id,
          values: [workspace.tenant_id, 'active', 51],
        });
        const { blocks, rows } = touched(explained);
        expect(rows).toBe(51);
        return blocks;
      };
      // The connection learns the catalog with the first of each.
      for (const workspace of [large, small]) await blocksOf(workspace);
      const [many, few] = [await blocksOf(large), await blocksOf(small)];
      expect(many / few).toBeLessThan(2.5);
    } finally {
      counter.close();
    }
  });

  it('is followed by the next one until all were shown once, also where many were never seen', async () => {
    const seen = new Set<string>();
    let shown = 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: People = await people(small, `limit=300&sort=-user_last_seen_at${cursor ? `&cursor=${cursor}` : ''}`);
      for (const { user_id } of page.data) seen.add(user_id);
      shown += page.data.length;
      cursor = page.next_cursor;
    }
    expect(shown).toBe(seen.size);
    expect(shown).toBe(FEW - FEW / 20 + 3 + 1);
  });
});

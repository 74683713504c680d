import { newId } from '@atrium/platform/kernel';
import { eventually, type RowsServer, type Client, type RunningApi, type SqlDatabase, type TestWorkspace } from '@atrium/platform/testing';
import { field, makeSchema, type Obj } from './objects';

export interface RunAnswer {
  readonly job_id: string;
  readonly job_source: string;
  readonly status: string;
  readonly trigger: string;
  readonly done: number;
  readonly failed: number;
  readonly total: number | null;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly deactivated: number;
  readonly conflicts: number;
  readonly held_deletes: number;
  readonly stalled: boolean;
  readonly error: string | null;
}

export interface SyncRowAnswer {
  readonly external_id: string | null;
  readonly action: string;
  readonly obj_id: string | null;
  readonly error: string | null;
  readonly diff: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
}

/** An article as the shop says it. */
export type Article = Readonly<Record<string, unknown>> & { readonly id: string };

export const article = (at: number, more: object = {}): Article => ({
  id: `sku-${String(at).padStart(6, '0')}`,
  title: `Lamp ${at}`,
  price: at,
  ...more,
});
export const articles = (count: number): Article[] => Array.from({ length: count }, (_, at) => article(at));

export const MAPPING = {
  external_id: { path: '$.id' },
  name: { path: '$.title' },
  price: { path: '$.price' },
} as const;

export const FIELDS = [field('price', 'number'), field('note', 'text'), field('secret', 'text', { sensitive: true })];

const ENDED = ['completed', 'partial', 'failed', 'cancelled'];

/** A source of articles in the hands of the test. */
export class Syncing {
  private constructor(
    private readonly api: RunningApi,
    private readonly ours: TestWorkspace,
    readonly form_id: string,
    readonly osr_id: string,
  ) {}

  /** Over a server that speaks HTTP. */
  static set(api: RunningApi, ours: TestWorkspace, server: RowsServer, more: object = {}, config: object = {}): Promise<Syncing> {
    return Syncing.create(api, ours, (form_id) => sourceBody(server, form_id, more, config));
  }

  static async create(api: RunningApi, ours: TestWorkspace, bodyOf: (form_id: string) => object): Promise<Syncing> {
    const { form_id } = await makeSchema(ours.owner.client, FIELDS);
    const made = await ours.owner.client.post('/object-sources', bodyOf(form_id)).expect(201);
    return new Syncing(api, ours, form_id, (made.body as { osr_id: string }).osr_id);
  }

  get client(): Client {
    return this.ours.owner.client;
  }

  get path(): string {
    return `/object-sources/${this.osr_id}`;
  }

  async start(body: object = {}): Promise<string> {
    return ((await this.client.post(`${this.path}/sync`, body).expect(202)).body as RunAnswer).job_id;
  }

  async sync(body: object = {}, withinMs = 60_000): Promise<RunAnswer> {
    return this.ended(await this.start(body), withinMs);
  }

  async run(job_id: string): Promise<RunAnswer> {
    return (await this.client.get(`${this.path}/runs/${job_id}`).expect(200)).body as RunAnswer;
  }

  ended(job_id: string, withinMs = 60_000): Promise<RunAnswer> {
    return eventually(
      () => this.run(job_id),
      ({ status }) => ENDED.includes(status),
      withinMs,
    );
  }

  async rows(job_id: string, query = ''): Promise<SyncRowAnswer[]> {
    return ((await this.client.get(`${this.path}/runs/${job_id}/rows?limit=1000${query}`).expect(200)).body as { data: SyncRowAnswer[] })
      .data;
  }

  async object(external_id: string, query = ''): Promise<Obj & Record<string, unknown>> {
    const { data } = (await this.client.get(`/objects?obj_source=${this.osr_id}&obj_external_id=${external_id}${query}`).expect(200))
      .body as {
      data: (Obj & Record<string, unknown>)[];
    };
    const [only] = data;
    if (!only) throw new Error(`There is no object of ${external_id}.`);
    return only;
  }

  /** Rows and revisions that are stored of the source. */
  async stored(): Promise<{ objects: number; active: number; ids: number; revisions: number }> {
    const [row] = await this.api.sql<{ objects: number; active: number; ids: number; revisions: number }>(
      `SELECT count(*)::int AS objects, count(*) FILTER (WHERE obj_active)::int AS active, count(DISTINCT obj_external_id)::int AS ids,
         (SELECT count(*)::int FROM object_revision v JOIN object k ON k.tenant_id = v.tenant_id AND k.obj_id = v.rev_object WHERE k.obj_source = $1) AS revisions
       FROM object WHERE obj_source = $1`,
      [this.osr_id],
    );
    return row ?? { objects: 0, active: 0, ids: 0, revisions: 0 };
  }
}

export const sourceBody = (server: RowsServer, form_id: string, more: object = {}, config: object = {}): Record<string, unknown> => ({
  osr_name: `Shop ${newId()}`,
  osr_kind: 'http_json',
  osr_form: form_id,
  osr_config: {
    url: `${server.url}/page`,
    rows: '$.items',
    total: '$.total',
    pagination: { style: 'page', size_param: 'per_page', size: 500 },
    ...config,
  },
  osr_mapping: MAPPING,
  ...more,
});

/** Articles in a table of a database, which its reader may read. */
export const makeArticles = (database: SqlDatabase, count: number, table = 'article'): Promise<unknown> =>
  database.run(`CREATE TABLE ${table} (id text PRIMARY KEY, title text NOT NULL, price numeric(12, 2));
    INSERT INTO ${table} SELECT 'sku-' || lpad(n::text, 6, '0'), 'Lamp ' || n, n FROM generate_series(0, ${count - 1}) n;
    GRANT SELECT ON ${table} TO ${database.username}`);

export const sqlBody = (database: SqlDatabase, form_id: string, more: object = {}, config: object = {}): Record<string, unknown> => ({
  osr_name: `Shop ${newId()}`,
  osr_kind: 'sql',
  osr_form: form_id,
  osr_config: { ...database.config, table: 'public.article', key: 'id', page_size: 100, ...config },
  osr_credentials: database.credentials,
  osr_mapping: MAPPING,
  ...more,
});

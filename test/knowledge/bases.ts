import { newId } from '@atrium/platform/kernel';
import { eventually, type Client } from '@atrium/platform/testing';

/** The standard template of questions and answers. */
export const FAQ = '00000000-0000-4000-8000-000000000101';
export const PRODUCT = '00000000-0000-4000-8000-000000000104';
export const BRAND_VOICE = '00000000-0000-4000-8000-000000000107';

export interface Base {
  readonly ds_id: string;
  readonly ds_name: string;
  readonly form_id: string | null;
  readonly ds_metadata: { readonly reindex_job?: string };
}

export interface KnownRecord {
  readonly rec_id: string;
  readonly rec_name: string;
  readonly rec_content: Record<string, unknown>;
  readonly rec_status: string;
  readonly rec_version: number;
  readonly rec_index_status: string;
}

export interface Hit {
  readonly text: string;
  readonly citation: {
    readonly source_id: string;
    readonly source_kind: string;
    readonly title: string;
    readonly url: string | null;
    readonly page_from: number | null;
    readonly char_start: number;
    readonly char_end: number;
  };
}

export const makeBase = async (client: Client, body: object = {}): Promise<Base> =>
  (await client.post('/knowledge-bases', { ds_name: `Base ${newId()}`, ...body }).expect(201)).body as Base;

/** A base whose records follow a schema. */
export const makeFormBase = (client: Client, form_id: string): Promise<Base> =>
  makeBase(client, { ds_type: 'form', ds_config: { form_id } });

export const addRecord = async (client: Client, ds_id: string, body: object): Promise<KnownRecord> =>
  (await client.post(`/knowledge-bases/${ds_id}/records`, body).expect(201)).body as KnownRecord;

/** A record of a text base. */
export const addText = (client: Client, ds_id: string, rec_name: string, text: string, more: object = {}): Promise<KnownRecord> =>
  addRecord(client, ds_id, { rec_name, rec_content: { body: text }, ...more });

export const readRecord = async (client: Client, ds_id: string, rec_id: string): Promise<KnownRecord> =>
  (await client.get(`/knowledge-bases/${ds_id}/records/${rec_id}`).expect(200)).body as KnownRecord;

/** Once all that the base holds is indexed. */
export const indexed = (client: Client, ds_id: string): Promise<object> =>
  eventually(
    async () => (await client.get(`/knowledge-bases/${ds_id}`).expect(200)).body as { ds_pending_count: number },
    ({ ds_pending_count }) => ds_pending_count === 0,
    60_000,
  );

export const search = async (client: Client, ds_id: string, query: string, body: object = {}): Promise<Hit[]> =>
  ((await client.post(`/knowledge-bases/${ds_id}/search`, { query, ...body }).expect(200)).body as { data: Hit[] }).data;

export const titles = (hits: readonly Hit[]): string[] => hits.map(({ citation }) => citation.title);

/** What agents search with: the scopes of bases by their ids. */
export const searchAll = async (client: Client, query: string, ds_ids: readonly string[], body: object = {}): Promise<Hit[]> =>
  (
    (await client.post('/retrieval/search', { query, scopes: ds_ids.map((id) => `ds:${id}`), ...body }).expect(200)).body as {
      data: Hit[];
    }
  ).data;

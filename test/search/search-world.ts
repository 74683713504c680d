import { newId, type JsonValue } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';

/** What a row of a library says of a file; what is left out is a small picture added now. */
export interface FileFacts {
  readonly file_name?: string;
  readonly file_type?: string;
  readonly file_kind?: string;
  readonly file_size?: number;
  readonly file_status?: string;
  readonly file_summary?: string | null;
  readonly file_hash?: string | null;
  readonly file_added_by?: string | null;
  readonly file_created?: string;
  readonly file_updated?: string;
  /** Free metadata. */
  readonly metadata?: object;
  /** What the service knows of the content. */
  readonly system?: object;
  readonly processing?: 'ready' | 'quarantined';
}

/** The workspace in which leaves are tried: rows are made as ingest leaves them, without bytes. */
export class SearchWorld {
  private constructor(
    readonly api: RunningApi,
    readonly workspace: TestWorkspace,
    private readonly blob_id: string,
  ) {}

  static async in(api: RunningApi, workspace: TestWorkspace): Promise<SearchWorld> {
    const blob_id = newId();
    await api.sql(
      `INSERT INTO file_blob (tenant_id, blob_id, blob_size, blob_type, blob_key, blob_refs) VALUES ($1, $2, 1, 'image/jpeg', 'none', 1000)`,
      [workspace.tenant_id, blob_id],
    );
    return new SearchWorld(api, workspace, blob_id);
  }

  get tenant_id(): string {
    return this.workspace.tenant_id;
  }

  async file(facts: FileFacts = {}, scope: 'media' | 'docs' = 'media'): Promise<string> {
    const [id] = await this.files([facts], scope);
    return id ?? '';
  }

  /** Rows in one statement, in the order of the facts. */
  async files(all: readonly FileFacts[], scope: 'media' | 'docs' = 'media'): Promise<string[]> {
    const rows = all.map((facts) => ({
      ...DEFAULTS,
      file_added_by: this.workspace.owner.user_id,
      file_created: new Date().toISOString(),
      ...facts,
      file_id: newId(),
      file_metadata: { ...facts.metadata, ...(facts.system ? { system: facts.system } : {}) },
    }));
    await this.api.sql(
      `INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_status, file_summary, file_hash, file_processing, file_metadata, file_provider_id, file_bucket, file_folder, file_added_by, file_current_version, file_blob, file_created, file_updated)
       SELECT $1, f.file_id, jsonb_build_object('library', jsonb_build_array($3::text)), $3, f.file_name, f.file_type, f.file_kind, f.file_size, f.file_status, f.file_summary, f.file_hash, f.processing, f.file_metadata, $1, 'disk', '', f.file_added_by, gen_random_uuid(), $2, f.file_created, coalesce(f.file_updated, f.file_created)
       FROM jsonb_to_recordset($4) AS f (file_id uuid, file_name text, file_type text, file_kind text, file_size bigint, file_status text, file_summary text, file_hash text, processing text, file_metadata jsonb, file_added_by uuid, file_created timestamptz, file_updated timestamptz)`,
      [this.tenant_id, this.blob_id, scope, JSON.stringify(rows)],
    );
    return rows.map(({ file_id }) => file_id);
  }
}

const DEFAULTS: FileFacts = {
  file_name: 'picture.jpg',
  file_type: 'image/jpeg',
  file_kind: 'image',
  file_size: 1_000,
  file_status: 'active',
  processing: 'ready',
};

/** What was arranged for one operator of one field: what is asked, and the files that must and must not be found. */
export interface ArrangedPair {
  readonly value?: JsonValue;
  readonly hit: string;
  readonly miss: string;
}

/**
 * A positive and a negative case of one operator of one field. Every registered leaf needs one for each of its
 * operators: put them into a file `test/search/<area>.pairs.ts` that exports `PAIRS`. A family is named as it is
 * registered (`metadata.<key>`), and `as` says which leaf is asked.
 */
export interface SearchPair {
  readonly field: string;
  readonly op: string;
  readonly as?: string;
  readonly scope?: 'media' | 'docs';
  arrange(world: SearchWorld): Promise<ArrangedPair>;
}

/** A pair of leaves over the file row alone. */
export const filePair = (
  field: string,
  op: string,
  value: JsonValue | undefined,
  hit: FileFacts,
  miss: FileFacts,
  as?: string,
): SearchPair => ({
  field,
  op,
  ...(as ? { as } : {}),
  arrange: async (world) => {
    const [found = '', passed = ''] = await world.files([hit, miss]);
    return { ...(value === undefined ? {} : { value }), hit: found, miss: passed };
  },
});

import { Injectable } from '@nestjs/common';
import { Database, empty, requireScope, sql, type Sql } from '@atrium/platform/database';
import { jsonPieces, type JsonObject } from '@atrium/platform/kernel';
import type { ChunkOptions } from '../domain/chunking';
import type { SourceKey } from '../domain/passage';

/** A source as the index knows it. */
export interface SourceRow {
  readonly source_kind: string;
  readonly source_id: string;
  readonly source_wanted: string;
  readonly source_version: string | null;
  readonly source_title: string;
  readonly source_options: ChunkOptions;
  readonly source_status: 'pending' | 'live' | 'failed';
  readonly source_model: string | null;
  readonly source_passages: number;
}

/** What a source is once its passages are there. */
export interface LiveSource {
  readonly version: string;
  readonly version_id: string | null;
  readonly title: string;
  readonly url: string | null;
  readonly language: string | null;
  readonly meta: JsonObject;
  readonly options: ChunkOptions;
  readonly model: string;
  readonly passages: number;
  readonly truncated: boolean;
}

/** How much a workspace has in the index. */
export interface IndexCounts {
  readonly sources: number;
  readonly passages: number;
  readonly pending: number;
  readonly failed: number;
  readonly vectors: number;
  /** The models whose vectors its sources have. */
  readonly models: readonly string[];
}

/** Why a source waits, where a part outside is not the reason. */
export const LACKS_CREDITS = 'There are no credits to embed it.';

const ON_WANTED = sql`
  ON CONFLICT (tenant_id, source_kind, source_id) DO UPDATE SET source_wanted = excluded.source_wanted, source_options = excluded.source_options, source_updated = now(),
    source_status = CASE WHEN s.source_status = 'live' AND s.source_version = excluded.source_wanted AND s.source_options = excluded.source_options THEN 'live' ELSE 'pending' END, source_error = NULL`;

/** Sources of a workspace and the scopes they are searched in. */
@Injectable()
export class PassageSourcesRepository {
  constructor(private readonly db: Database) {}

  /** All sources, and vectors of a kind. */
  async countIndex(vectorKind: string): Promise<IndexCounts> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<IndexCounts>(sql`
      SELECT count(*)::integer AS sources, coalesce(sum(source_passages), 0)::integer AS passages, count(*) FILTER (WHERE source_status = 'pending')::integer AS pending,
             count(*) FILTER (WHERE source_status = 'failed')::integer AS failed,
             (SELECT count(*)::integer FROM vector_entry v WHERE v.tenant_id = ${tenant_id} AND v.ve_kind = ${vectorKind}) AS vectors,
             coalesce(array_agg(DISTINCT source_model) FILTER (WHERE source_model IS NOT NULL), '{}') AS models
      FROM passage_source WHERE tenant_id = ${tenant_id}`);
    return row ?? { sources: 0, passages: 0, pending: 0, failed: 0, vectors: 0, models: [] };
  }

  /** The version is wanted with such passages; whether there is anything to do for it. */
  async requestVersion(source: SourceKey, version: string, options: ChunkOptions): Promise<boolean> {
    const wanted = JSON.stringify(options);
    const row = await this.db.current().first<{ source_status: string }>(sql`
      INSERT INTO passage_source AS s (tenant_id, source_kind, source_id, source_wanted, source_options)
      VALUES (${requireScope().tenant_id}, ${source.kind}, ${source.id}, ${version}, ${wanted}::jsonb)
      ${ON_WANTED} RETURNING source_status`);
    return row?.source_status !== 'live';
  }

  /** The same for many of a kind; those that there is something to do for. */
  async requestSources(
    kind: string,
    sources: readonly { readonly id: string; readonly version: string }[],
    options: ChunkOptions,
  ): Promise<string[]> {
    const wanted = JSON.stringify(options);
    const toDo: string[] = [];
    // A version may be a text, and those of many sources together are long.
    for (const { text } of jsonPieces(sources)) {
      const rows = await this.db.current().query<{ source_id: string; source_status: string }>(sql`
        INSERT INTO passage_source AS s (tenant_id, source_kind, source_id, source_wanted, source_options)
        SELECT ${requireScope().tenant_id}::uuid, ${kind}, w.id, w.version, ${wanted}::jsonb FROM jsonb_to_recordset(${text}::jsonb) AS w (id uuid, version text)
        ${ON_WANTED} RETURNING source_id, source_status`);
      for (const { source_id, source_status } of rows) if (source_status !== 'live') toDo.push(source_id);
    }
    return toDo;
  }

  /** Replaces the scopes of a source that is there. */
  async setScopes(source: SourceKey, scopes: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM passage_scope s WHERE ${ofSource(source)} AND s.scope_key <> ALL(${[...scopes]}::text[])`);
    await this.db.current().execute(sql`
      INSERT INTO passage_scope (tenant_id, source_kind, source_id, scope_key)
      SELECT s.tenant_id, s.source_kind, s.source_id, k FROM passage_source s CROSS JOIN unnest(${[...scopes]}::text[]) AS k WHERE ${ofSource(source)} ON CONFLICT DO NOTHING`);
  }

  /** The same for many sources of a kind. */
  async setScopesOfAll(kind: string, ids: readonly string[], scopes: readonly string[]): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db
      .current()
      .execute(
        sql`DELETE FROM passage_scope WHERE tenant_id = ${tenant_id} AND source_kind = ${kind} AND source_id = ANY(${[...ids]}::uuid[]) AND scope_key <> ALL(${[...scopes]}::text[])`,
      );
    if (scopes.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO passage_scope (tenant_id, source_kind, source_id, scope_key)
      SELECT ${tenant_id}::uuid, ${kind}, i.id, k.key FROM unnest(${[...ids]}::uuid[]) AS i (id) CROSS JOIN unnest(${[...scopes]}::text[]) AS k (key) ON CONFLICT DO NOTHING`);
  }

  async closeScope(scope: string): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM passage_scope WHERE tenant_id = ${requireScope().tenant_id} AND scope_key = ${scope}`);
  }

  /** Those of the sources of a kind that are in the index. */
  async findIndexed(kind: string, ids: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ source_id: string }>(
        sql`SELECT source_id FROM passage_source WHERE tenant_id = ${requireScope().tenant_id} AND source_kind = ${kind} AND source_id = ANY(${[...ids]}::uuid[])`,
      );
    return rows.map(({ source_id }) => source_id);
  }

  async findSource(source: SourceKey, lock: Sql = empty): Promise<SourceRow | undefined> {
    return this.db
      .current()
      .first<SourceRow & Record<string, unknown>>(
        sql`SELECT source_kind, source_id, source_wanted, source_version, source_title, source_options, source_status, source_model, source_passages FROM passage_source s WHERE ${ofSource(source)} ${lock}`,
      );
  }

  /** The row for changes of the passages of the source: one at a time. */
  lockSource(source: SourceKey): Promise<SourceRow | undefined> {
    return this.findSource(source, sql`FOR UPDATE`);
  }

  async isReachable(source: SourceKey): Promise<boolean> {
    return (await this.db.current().first(sql`SELECT 1 FROM passage_scope s WHERE ${ofSource(source)} LIMIT 1`)) !== undefined;
  }

  async publishVersion(source: SourceKey, live: LiveSource): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE passage_source s SET source_version = ${live.version}, source_version_id = ${live.version_id}, source_title = ${live.title}, source_url = ${live.url}, source_lang = ${live.language},
        source_meta = ${JSON.stringify(live.meta)}::jsonb, source_model = ${live.model}, source_passages = ${live.passages}, source_truncated = ${live.truncated}, source_generation = source_generation + 1, source_error = NULL, source_updated = now(),
        source_status = CASE WHEN source_wanted = ${live.version} AND source_options = ${JSON.stringify(live.options)}::jsonb THEN 'live' ELSE 'pending' END
      WHERE ${ofSource(source)}`);
  }

  /** Its passages go, so they are of no version any more. */
  async clearVersion(source: SourceKey): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE passage_source s SET source_status = 'pending', source_version = NULL, source_model = NULL, source_passages = 0, source_updated = now() WHERE ${ofSource(source)}`,
      );
  }

  async markWaiting(source: SourceKey, reason: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE passage_source s SET source_error = ${reason}, source_updated = now() WHERE ${ofSource(source)} AND source_status = 'pending'`,
      );
  }

  async markFailed(source: SourceKey, reason: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE passage_source s SET source_status = 'failed', source_error = ${reason.slice(0, 500)}, source_updated = now() WHERE ${ofSource(source)}`,
      );
  }

  /** The same where nothing else is known of it. */
  async giveUp(source: SourceKey, reason: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE passage_source s SET source_status = 'failed', source_error = ${reason.slice(0, 500)}, source_updated = now() WHERE ${ofSource(source)} AND source_status = 'pending'`,
      );
  }

  /** Forgets the source, its scopes and its passages. */
  async deleteSource(source: SourceKey): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM passage_source s WHERE ${ofSource(source)}`);
  }

  /** Sources behind one of them, in the order of their keys, that a condition on `s` holds for. */
  async listSources(condition: Sql, after: SourceKey | null, limit: number): Promise<SourceKey[]> {
    const behind = after ? sql`AND (s.source_kind, s.source_id) > (${after.kind}, ${after.id}::uuid)` : empty;
    return this.db
      .current()
      .query<{ kind: string; id: string } & SourceKey>(
        sql`SELECT s.source_kind AS kind, s.source_id AS id FROM passage_source s WHERE s.tenant_id = ${requireScope().tenant_id} AND ${condition} ${behind} ORDER BY s.source_kind, s.source_id LIMIT ${limit}`,
      );
  }

  async countSources(condition: Sql): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*)::integer AS count FROM passage_source s WHERE s.tenant_id = ${requireScope().tenant_id} AND ${condition}`,
      );
    return row?.count ?? 0;
  }

  /** They are to be indexed once more. */
  async reopenSources(sources: readonly SourceKey[]): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE passage_source s SET source_status = 'pending', source_error = NULL, source_updated = now() FROM unnest(${sources.map(({ kind }) => kind)}::text[], ${sources.map(({ id }) => id)}::uuid[]) AS w (kind, id)
      WHERE s.tenant_id = ${requireScope().tenant_id} AND s.source_kind = w.kind AND s.source_id = w.id`);
  }
}

/** Condition on `s`. */
const ofSource = ({ kind, id }: SourceKey): Sql =>
  sql`s.tenant_id = ${requireScope().tenant_id} AND s.source_kind = ${kind} AND s.source_id = ${id}::uuid`;

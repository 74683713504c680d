import { Injectable } from '@nestjs/common';
import type { ContentBatch, ContentMove } from '@atrium/identity';
import { aclAllows, type Principal } from '@atrium/platform/access';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
  type MethodsOf,
} from '@atrium/platform/database';
import { handedAcl, isHandedOver, namesGiver } from '../../shared/handed-acl';
import { LONGEST_NAME, Prompt, SETTINGS } from '../domain/prompt';
import { keyOf } from '../domain/prompt-text';

type Behaviour = MethodsOf<Prompt> | 'settings';

/** A prompt as answers show it. */
export type PromptRow = Omit<Prompt, 'tenant_id' | 'row_version' | Behaviour> & { readonly row_version?: number };

export interface PromptFilters extends ListParameters {
  readonly prompt_active?: boolean;
  readonly prompt_category?: string;
  readonly full_text_search?: string;
}

const CATEGORIES = sql`ARRAY(SELECT l.pcat_id FROM prompt_category_link l WHERE l.tenant_id = r.tenant_id AND l.prompt_id = r.prompt_id ORDER BY l.pcat_id) AS prompt_categories`;

/** The prompts of a workspace, with the categories that they are in and the wildcards that they name. */
@Injectable()
export class PromptsRepository extends ResourceRepository<Prompt> {
  constructor(db: Database) {
    super(db, Prompt, 'prompt');
  }

  /** One page of the prompts that the caller may see. */
  listPrompts(
    caller: Principal,
    { prompt_active = true, prompt_category: category, full_text_search: words, ...query }: PromptFilters,
  ): Promise<Page<PromptRow>> {
    const matching = words === undefined ? sql`true` : sql`r.prompt_id IN (SELECT search_prompts(${words}))`;
    const filed = category === undefined ? sql`true` : within(category);
    return listPage<PromptRow>(this.db.current(), Prompt, query, {
      where: sql`r.prompt_active = ${prompt_active} AND ${matching} AND ${filed} AND ${aclAllows('r.prompt_acl', caller, 'view')}`,
      select: CATEGORIES,
      steady: words === undefined && category === undefined,
    });
  }

  /** One prompt, inactive ones too; rights are the caller's to decide. */
  findPromptRow(prompt_id: string): Promise<PromptRow | undefined> {
    return this.db
      .current()
      .first<PromptRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(Prompt)}, ${CATEGORIES}, r.row_version FROM prompt r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.prompt_id = ${prompt_id}`,
      );
  }

  /** The categories that a prompt is in. */
  async listCategoryIds(prompt_id: string): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ pcat_id: string }>(
        sql`SELECT pcat_id FROM prompt_category_link WHERE tenant_id = ${requireScope().tenant_id} AND prompt_id = ${prompt_id} ORDER BY pcat_id`,
      );
    return rows.map(({ pcat_id }) => pcat_id);
  }

  /** Writes what a prompt refers to in tables of its own: its categories and the names that its text leaves open. */
  async saveReferences({ prompt_id, prompt_categories, prompt_wildcards }: Prompt): Promise<void> {
    const tx = this.db.current();
    const { tenant_id } = requireScope();
    await tx.execute(
      sql`DELETE FROM prompt_category_link WHERE tenant_id = ${tenant_id} AND prompt_id = ${prompt_id} AND pcat_id <> ALL (${prompt_categories}::uuid[])`,
    );
    await tx.execute(
      sql`INSERT INTO prompt_category_link (tenant_id, pcat_id, prompt_id) SELECT ${tenant_id}::uuid, c, ${prompt_id}::uuid FROM unnest(${prompt_categories}::uuid[]) c ON CONFLICT DO NOTHING`,
    );
    const keys = prompt_wildcards.map(keyOf);
    await tx.execute(
      sql`DELETE FROM prompt_wildcard WHERE tenant_id = ${tenant_id} AND prompt_id = ${prompt_id} AND pw_key <> ALL (${keys}::text[])`,
    );
    await tx.execute(
      sql`INSERT INTO prompt_wildcard (tenant_id, pw_key, prompt_id) SELECT ${tenant_id}::uuid, k, ${prompt_id}::uuid FROM unnest(${keys}::text[]) k ON CONFLICT DO NOTHING`,
    );
  }

  /** Keeps what the prompt is at its present version. */
  async saveRevision({ prompt_id, prompt_version, settings }: Prompt, user: string | null): Promise<void> {
    await this.db.current().execute(
      sql`INSERT INTO prompt_revision (tenant_id, prompt_id, prompt_version, rev_body, rev_user)
          VALUES (${requireScope().tenant_id}, ${prompt_id}, ${prompt_version}, ${JSON.stringify(settings)}::jsonb, ${user}::uuid)`,
    );
  }

  /** One run more; the version of the row stays, because nobody changed it. */
  async countRun(prompt_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE prompt SET prompt_run_count = prompt_run_count + 1 WHERE tenant_id = ${requireScope().tenant_id} AND prompt_id = ${prompt_id}`,
      );
  }

  /** The names of the prompts among the ids, inactive ones too; one statement for however many. */
  async findPromptNames(
    prompt_ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly prompt_name: string; readonly prompt_active: boolean }>> {
    if (prompt_ids.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<{ prompt_id: string; prompt_name: string; prompt_active: boolean }>(
        sql`SELECT prompt_id, prompt_name, prompt_active FROM prompt WHERE tenant_id = ${requireScope().tenant_id} AND prompt_id = ANY(${[...prompt_ids]}::uuid[])`,
      );
    return new Map(rows.map(({ prompt_id, ...row }) => [prompt_id, row]));
  }

  /** How many active prompts that the caller may see name each wildcard, by its key; in one statement. */
  async countPromptsByWildcard(caller: Principal, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.db.current().query<{ key: string; count: number }>(
      sql`SELECT w.pw_key AS key, count(*) AS count FROM prompt_wildcard w JOIN prompt r ON r.tenant_id = w.tenant_id AND r.prompt_id = w.prompt_id
          WHERE w.tenant_id = ${requireScope().tenant_id} AND w.pw_key = ANY(${[...keys]}::text[]) AND ${counted(caller)} GROUP BY 1`,
    );
    return new Map(rows.map(({ key, count }) => [key, Number(count)]));
  }

  /** The same by categories, those below them left out. */
  async countPromptsByCategory(caller: Principal, pcat_ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.db.current().query<{ key: string; count: number }>(
      sql`SELECT l.pcat_id AS key, count(*) AS count FROM prompt_category_link l JOIN prompt r ON r.tenant_id = l.tenant_id AND r.prompt_id = l.prompt_id
          WHERE l.tenant_id = ${requireScope().tenant_id} AND l.pcat_id = ANY(${[...pcat_ids]}::uuid[]) AND ${counted(caller)} GROUP BY 1`,
    );
    return new Map(rows.map(({ key, count }) => [key, Number(count)]));
  }

  /**
   * Hands over what belongs to one member within one stretch of the prompts, along the primary key. Names are unique for each
   * creator: where the new one has an active prompt of the name, the prompt's id is added to it. Where a name or an access list
   * changes, that makes a version.
   */
  async handOver(
    move: ContentMove,
    { after, size }: ContentBatch,
  ): Promise<{ readonly moved: number; readonly seen: number; readonly last: string | null }> {
    const { tenant_id, actor } = requireScope();
    const { from, to } = move;
    const isNameTaken = sql`(p.prompt_active AND p.prompt_user = ${from}::uuid AND EXISTS (SELECT FROM prompt o WHERE o.tenant_id = p.tenant_id AND o.prompt_user = ${to}::uuid AND o.prompt_active AND folded(o.prompt_name) = folded(p.prompt_name)))`;
    const isAmended = sql`(${isNameTaken} OR ${namesGiver('p.prompt_acl', move)})`;
    const stretch = await this.db.current().first<{ moved: number; seen: number; last: string | null }>(
      sql`WITH stretch AS MATERIALIZED (SELECT prompt_id FROM prompt WHERE tenant_id = ${tenant_id} AND ${after === null ? sql`true` : sql`prompt_id > ${after}`} ORDER BY prompt_id LIMIT ${size}),
          moved AS (UPDATE prompt p SET prompt_user = CASE WHEN p.prompt_user = ${from}::uuid THEN ${to}::uuid ELSE p.prompt_user END, prompt_acl = ${handedAcl('p.prompt_acl', move)},
                      prompt_name = CASE WHEN ${isNameTaken} THEN left(p.prompt_name, ${LONGEST_NAME - LONGEST_MARK}) || ' (' || p.prompt_id || ')' ELSE p.prompt_name END,
                      prompt_version = p.prompt_version + CASE WHEN ${isAmended} THEN 1 ELSE 0 END, prompt_updated = CASE WHEN ${isAmended} THEN now() ELSE p.prompt_updated END, row_version = p.row_version + 1
                    FROM stretch s WHERE p.tenant_id = ${tenant_id} AND p.prompt_id = s.prompt_id AND ${isHandedOver(CLAIMS, move)} RETURNING p.*),
          kept AS (INSERT INTO prompt_revision (tenant_id, prompt_id, prompt_version, rev_body, rev_user)
                   SELECT r.tenant_id, r.prompt_id, r.prompt_version, (SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(r)) WHERE key = ANY(${[...SETTINGS]}::text[]))
                     || (SELECT to_jsonb(c) FROM (SELECT ${CATEGORIES}) c), ${actor.user_id}::uuid FROM moved r
                   ON CONFLICT DO NOTHING)
          SELECT (SELECT count(*) FROM moved) AS moved, (SELECT count(*) FROM stretch) AS seen, (SELECT prompt_id FROM stretch ORDER BY prompt_id DESC LIMIT 1) AS last`,
    );
    return stretch ?? { moved: 0, seen: 0, last: null };
  }
}

const CLAIMS = { creator: 'p.prompt_user', acl: 'p.prompt_acl' } as const;

/** An id between brackets, behind a space. */
const LONGEST_MARK = ' ()'.length + 36;

const counted = (caller: Principal): Sql => sql`r.prompt_active AND ${aclAllows('r.prompt_acl', caller, 'view')}`;

/** Condition on `r`: a prompt of the category or of one below it. */
const within = (category: string): Sql => sql`r.prompt_id IN (
  WITH RECURSIVE below AS (
    SELECT c.pcat_id FROM prompt_category c WHERE c.tenant_id = ${requireScope().tenant_id} AND c.pcat_id = ${category}::uuid
    UNION SELECT c.pcat_id FROM below b JOIN prompt_category c ON c.tenant_id = ${requireScope().tenant_id} AND c.pcat_parent = b.pcat_id)
  SELECT l.prompt_id FROM below b JOIN prompt_category_link l ON l.tenant_id = ${requireScope().tenant_id} AND l.pcat_id = b.pcat_id)`;

import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { applyMoves } from '@atrium/forms';
import { Database } from '@atrium/platform/database';
import { Clock, type JsonObject } from '@atrium/platform/kernel';
import { Outbox, planJob, type JobRun } from '@atrium/platform/messaging';
import { changeOverlay } from '../../content/domain/overlays';
import { mapEveryBlock, type FieldsOfComponent } from '../domain/blocks-of-schema';
import type { ContentSchema } from '../domain/content-schema';
import { ContentSchemasRepository } from '../infrastructure/content-schemas.repository';
import { SchemaDraftsRows, type DraftTree } from '../infrastructure/schema-drafts.rows';
import { migrateDrafts, type MigrateDraftsPayload } from '../jobs/schemas.jobs';
import { SchemaCompiler } from './schema-compiler';

/** Pages that are looked at in one unit of work, and those of them whose trees are in memory together. */
const STRETCH = 500;
const AT_ONCE = 20;
/** Stretches of one job; another goes on from there, so that what is done stays done. */
const STRETCHES = 20;

/** Drafts follow a change of a content schema, in the tree and in every locale. Doing it twice is doing it once. */
@Injectable()
export class DraftMigration {
  constructor(
    private readonly db: Database,
    private readonly schemas: ContentSchemasRepository,
    private readonly drafts: SchemaDraftsRows,
    private readonly compiler: SchemaCompiler,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** A schema that was changed again has another job, which does what this one would have done. */
  async followRevision({ tpl_id, revision, cursor }: MigrateDraftsPayload, run: Pick<JobRun, 'signal' | 'heartbeat'>): Promise<void> {
    let after = cursor;
    for (let stretch = 1; ; stretch += 1) {
      run.signal.throwIfAborted();
      const isLast = stretch === STRETCHES;
      const next = await this.db.write(() => this.followStretch({ tpl_id, revision, cursor: after }, isLast));
      if (next === null) return;
      after = next;
      await run.heartbeat();
    }
  }

  /** Where the next stretch begins; null when none is left to this job. */
  private async followStretch({ tpl_id, revision, cursor }: MigrateDraftsPayload, isLast: boolean): Promise<string | null> {
    const schema = await this.schemas.findRow(tpl_id);
    if (schema?.tpl_revision !== revision) return null;
    const { node_ids, next } = await this.drafts.findStretch(schema, cursor, STRETCH);
    if (schema.tpl_moves.length > 0)
      for (let at = 0; at < node_ids.length; at += AT_ONCE) await this.followPages(schema, node_ids.slice(at, at + AT_ONCE));
    if (next === null) return this.settle(tpl_id, revision);
    if (!isLast) return next;
    this.outbox.addJob(planJob(migrateDrafts, { tpl_id, revision, cursor: next }));
    return null;
  }

  private async followPages(schema: ContentSchema, node_ids: readonly string[]): Promise<void> {
    const library = await this.compiler.findCompiled(schema.tpl_library);
    const fieldsOf: FieldsOfComponent = (component) => library.get(component)?.form.fields;
    const uids = new Map<string, ReadonlySet<string>>();
    const trees = (await this.drafts.lockTrees(node_ids)).flatMap((tree): DraftTree[] => {
      const moved = movedTree(tree.node_tree, schema, fieldsOf);
      uids.set(tree.node_id, moved.uids);
      return moved.node_tree === tree.node_tree ? [] : [{ node_id: tree.node_id, node_tree: moved.node_tree }];
    });
    if (trees.length > 0) await this.drafts.saveTrees(trees);
    const overlays = (await this.drafts.lockOverlays(node_ids)).flatMap((overlay) => {
      const inside = uids.get(overlay.nl_node) ?? new Set<string>();
      const nl_overlay = changeOverlay(overlay.nl_overlay, inside, (values) => applyMoves(values, schema.tpl_moves));
      if (isDeepStrictEqual(nl_overlay, overlay.nl_overlay)) return [];
      const renamed = schema.tpl_moves.map((move) => ({ ...move, convert: null }));
      return [{ ...overlay, nl_overlay, nl_sources: changeOverlay(overlay.nl_sources, inside, (hashes) => applyMoves(hashes, renamed)) }];
    });
    if (overlays.length > 0) await this.drafts.saveOverlays(overlays);
  }

  private async settle(tpl_id: string, revision: number): Promise<null> {
    const [schema] = await this.schemas.lockMany([tpl_id]);
    if (schema?.tpl_revision !== revision) return null;
    schema.settle(this.clock);
    await this.schemas.save(schema);
    return null;
  }
}

/** A page whose blocks of the schema have their new keys, and the identities of these blocks. */
function movedTree(
  tree: JsonObject,
  { tpl_key, tpl_moves }: ContentSchema,
  fieldsOf: FieldsOfComponent,
): { readonly node_tree: JsonObject; readonly uids: ReadonlySet<string> } {
  const uids = new Set<string>();
  const node_tree = mapEveryBlock(tree, fieldsOf, (block) => {
    if (block.component !== tpl_key) return block;
    if (typeof block._uid === 'string') uids.add(block._uid);
    return applyMoves(block, tpl_moves);
  });
  return { node_tree, uids };
}

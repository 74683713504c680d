import { Injectable } from '@nestjs/common';
import { assertFollowed, Forms, hasStored, type FormDiff } from '@atrium/forms';
import { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { Outbox, planJob } from '@atrium/platform/messaging';
import { blocksOf } from '../domain/blocks-of-schema';
import type { ContentSchema } from '../domain/content-schema';
import { SchemaDraftsRows } from '../infrastructure/schema-drafts.rows';
import { migrateDrafts } from '../jobs/schemas.jobs';
import { SchemaCompiler } from './schema-compiler';

const STRETCH = 500;
/** Trees that are in memory together; one may have a megabyte. */
const AT_ONCE = 20;

/** A change of a configuration, decided before anything is written. */
export interface PlannedEvolution {
  /** The revision that it was decided for. */
  readonly revision: number;
  readonly tpl_config: JsonObject;
  readonly diff: FormDiff;
  readonly counts: ReadonlyMap<string, number>;
}

/** Changes of configurations: what drafts can follow without a loss, and that they do. */
@Injectable()
export class SchemaEvolutions {
  constructor(
    private readonly db: Database,
    private readonly forms: Forms,
    private readonly drafts: SchemaDraftsRows,
    private readonly compiler: SchemaCompiler,
    private readonly outbox: Outbox,
  ) {}

  /** Drafts are looked through where the change asks for it, with no lock: outside of a unit of work. */
  async planEvolution(schema: ContentSchema, tpl_config: JsonObject): Promise<PlannedEvolution> {
    const diff = this.compare(schema, tpl_config);
    const paths = [...new Set(diff.blocked.map(({ path }) => path))];
    return {
      revision: schema.tpl_revision,
      tpl_config,
      diff,
      counts: paths.length === 0 ? new Map<string, number>() : await this.countStored(schema, paths),
    };
  }

  /** Within the unit of work that locked the schema. */
  evolve(schema: ContentSchema, { tpl_config, diff, counts }: PlannedEvolution): void {
    const after = this.forms.compileForm(tpl_config, { kind: 'content', at: 'tpl_config' });
    assertFollowed(after, diff, { counts, pending: schema.tpl_moves });
    schema.evolve(tpl_config, { moves: diff.moves, reindexed: diff.reindexed, retired: diff.retired });
    if (!schema.isFollowed)
      this.outbox.addJob(planJob(migrateDrafts, { tpl_id: schema.tpl_id, revision: schema.tpl_revision, cursor: null }));
  }

  private compare({ tpl_config: before, tpl_retired }: ContentSchema, tpl_config: JsonObject): FormDiff {
    const [old, now] = [before, tpl_config].map((config) => this.forms.compileForm(config, { kind: 'content', at: 'tpl_config' }));
    if (!old || !now) throw new Error('Two configurations were compiled.');
    return this.forms.compareForms(old, now, { retired: tpl_retired, kind: 'content' });
  }

  /** How many blocks of drafts have a value under each of the paths. */
  private async countStored(schema: ContentSchema, paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const counts = new Map(paths.map((path) => [path, 0]));
    for (let after: string | null = null; ;) {
      const { node_ids, next } = await this.db.read(() => this.drafts.findStretch(schema, after, STRETCH));
      for (let at = 0; at < node_ids.length; at += AT_ONCE) await this.countWithin(schema, node_ids.slice(at, at + AT_ONCE), counts);
      if (next === null) return counts;
      after = next;
    }
  }

  private async countWithin(
    { tpl_library, tpl_key }: ContentSchema,
    node_ids: readonly string[],
    counts: Map<string, number>,
  ): Promise<void> {
    const { trees, library } = await this.db.read(async () => ({
      library: await this.compiler.findCompiled(tpl_library),
      trees: await this.drafts.readTrees(node_ids),
    }));
    for (const { node_tree } of trees)
      for (const block of blocksOf(node_tree, (component) => library.get(component)?.form.fields, tpl_key))
        for (const [path, count] of counts) if (hasStored(block, path.split('.'))) counts.set(path, count + 1);
  }
}

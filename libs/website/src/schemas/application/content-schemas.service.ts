import { Injectable } from '@nestjs/common';
import { LISTED_REPO_TYPES, ReadableFiles } from '@atrium/files';
import { Forms } from '@atrium/forms';
import { Audit, changesBetween, defineAuditTypes, type Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidFields, notFound, notYet, pick, Problem, unknownReference, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { isDeepStrictEqual } from 'node:util';
import { nestedBlocksFields } from '../../content/domain/content-form';
import { ContentSchema, MOST_SCHEMAS, schemaKeyTaken, tooManySchemas, type SchemaKind } from '../domain/content-schema';
import { ContentSchemasRepository, type SchemaRow, type VersionedSchemaRow } from '../infrastructure/content-schemas.repository';
import { LibraryReferences } from './library-references';
import { SchemaEvolutions, type PlannedEvolution } from './schema-evolution';

export type { SchemaRow, VersionedSchemaRow };

/** What is kept of changes to content schemas. */
const SCHEMAS_AUDIT = defineAuditTypes({
  'content_schema.created': 'A content schema was created.',
  'content_schema.updated': 'A content schema was changed, activated or deactivated.',
});

/** What a client says of a content schema. */
export interface SchemaFacts {
  readonly tpl_name?: string;
  readonly tpl_description?: string | null;
  readonly tpl_icon?: string | null;
  readonly tpl_color?: string | null;
  readonly tpl_group?: string | null;
  readonly tpl_kind?: SchemaKind;
  readonly tpl_config?: JsonObject;
  readonly tpl_preview_file?: string | null;
  readonly tpl_active?: boolean;
}

export type NewSchema = SchemaFacts & {
  readonly tpl_library: string;
  readonly tpl_key: string;
  readonly tpl_name: string;
  readonly tpl_kind: SchemaKind;
};

export interface SchemaFilters extends ListParameters {
  readonly tpl_active?: boolean;
}

const ATTEMPTS = 3;
const SHOWN = [
  'tpl_name',
  'tpl_description',
  'tpl_icon',
  'tpl_color',
  'tpl_group',
  'tpl_kind',
  'tpl_config',
  'tpl_preview_file',
  'tpl_active',
] as const;

/** The content schemas of a workspace. */
@Injectable()
export class ContentSchemasService {
  constructor(
    private readonly db: Database,
    private readonly schemas: ContentSchemasRepository,
    private readonly libraries: LibraryReferences,
    private readonly evolutions: SchemaEvolutions,
    private readonly forms: Forms,
    private readonly files: ReadableFiles,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, { tpl_active = true, ...query }: SchemaFilters): Promise<Page<SchemaRow>> {
    return this.db.read(() => this.schemas.listSchemas(caller, query, tpl_active));
  }

  get(caller: Principal, tpl_id: string): Promise<VersionedSchemaRow> {
    return this.db.read(() => this.read(caller, tpl_id));
  }

  create(caller: Principal, { tpl_library, tpl_key, tpl_name, tpl_kind, ...facts }: NewSchema): Promise<VersionedSchemaRow> {
    this.assertConfig(facts.tpl_config ?? {});
    return this.runWithUniqueKey(tpl_key, () =>
      this.db.write(async () => {
        await this.libraries.lockOpen('tpl_library', tpl_library);
        await this.assertRoom(tpl_library);
        const schema = ContentSchema.blank({ tpl_id: this.ids.next(), tpl_library, tpl_key, tpl_name, tpl_kind }, this.clock.now());
        await this.describe(caller, schema, facts);
        schema.tpl_config = facts.tpl_config ?? {};
        await this.schemas.insert(schema);
        this.audit.record({
          type: SCHEMAS_AUDIT['content_schema.created'],
          target: targetOf(schema),
          ...changesBetween(null, shown(schema)),
        });
        this.emitChanged(schema, ['tpl_key']);
        return this.read(caller, schema.tpl_id);
      }),
    );
  }

  /** A change of the configuration is decided without a lock, and again where the schema has changed since. */
  async change(caller: Principal, tpl_id: string, facts: SchemaFacts, precondition?: Precondition): Promise<VersionedSchemaRow> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const evolution = facts.tpl_config === undefined ? null : await this.plan(tpl_id, facts.tpl_config);
      const changed = await this.changePlanned(caller, tpl_id, { facts, evolution, precondition });
      if (changed) return changed;
    }
    throw notYet('The content schema is being changed by someone else. Try again.', 2);
  }

  /** Pages keep their blocks; the schema can be activated again. */
  deactivate(tpl_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const schema = await this.schemas.lockToDelete(tpl_id, precondition, (row) => row.assertOwn());
      if (!schema) return;
      await this.libraries.lockLibrary(schema.tpl_library);
      const before = shown(schema);
      schema.tpl_active = false;
      await this.save(schema, before);
    });
  }

  private async plan(tpl_id: string, tpl_config: JsonObject): Promise<PlannedEvolution | null> {
    this.assertConfig(tpl_config);
    const schema = await this.db.read(() => this.schemas.findRow(tpl_id));
    return schema && !isDeepStrictEqual(schema.tpl_config, tpl_config) ? this.evolutions.planEvolution(schema, tpl_config) : null;
  }

  /** Null where the configuration has changed since the plan was made. */
  private changePlanned(
    caller: Principal,
    tpl_id: string,
    { facts, evolution, precondition }: { facts: SchemaFacts; evolution: PlannedEvolution | null; precondition: Precondition | undefined },
  ): Promise<VersionedSchemaRow | null> {
    return this.db.write(async () => {
      const schema = await this.schemas.lockToChange(tpl_id, facts, precondition, (row) => row.assertOwn());
      const isPlanned =
        evolution === null
          ? facts.tpl_config === undefined || isDeepStrictEqual(schema.tpl_config, facts.tpl_config)
          : schema.tpl_revision === evolution.revision;
      if (!isPlanned) return null;
      return this.runWithUniqueKey(schema.tpl_key, async () => {
        const before = shown(schema);
        await this.libraries.lockLibrary(schema.tpl_library);
        await this.describe(caller, schema, facts);
        if (!before.tpl_active && facts.tpl_active) await this.assertRoom(schema.tpl_library);
        schema.tpl_active = facts.tpl_active ?? schema.tpl_active;
        if (evolution) this.evolutions.evolve(schema, evolution);
        await this.save(schema, before);
        return this.read(caller, tpl_id);
      });
    });
  }

  /** Blocks are addressed by their parent and one key, so that only fields at the top hold them. */
  private assertConfig(tpl_config: JsonObject): void {
    const form = this.forms.compileForm(tpl_config, { kind: 'content', at: 'tpl_config' });
    const nested = nestedBlocksFields(form.fields);
    if (nested.length === 0) return;
    throw invalidFields(
      nested.map((path) => ({
        path: `${form.field(path)?.declared ?? path}.type`,
        code: 'not_applicable',
        message: 'must not be blocks within a group or a list',
      })),
    );
  }

  /** Everything but the configuration. */
  private async describe(caller: Principal, schema: ContentSchema, facts: SchemaFacts): Promise<void> {
    const { tpl_preview_file, tpl_kind = schema.tpl_kind, tpl_config: _, tpl_active: __, ...texts } = facts;
    if (tpl_preview_file && tpl_preview_file !== schema.tpl_preview_file) await this.assertReadableFile(caller, tpl_preview_file);
    if (tpl_kind === 'block' && schema.tpl_kind !== 'block') await this.assertWithoutPages(schema);
    const given = Object.entries({ ...texts, tpl_kind, tpl_preview_file }).filter(([, value]) => value !== undefined);
    Object.assign(schema, Object.fromEntries(given));
  }

  private async assertReadableFile(caller: Principal, file_id: string): Promise<void> {
    const found = await this.files.findReadable(caller, [file_id], LISTED_REPO_TYPES);
    if (!found.has(file_id.toLowerCase())) throw unknownReference('tpl_preview_file', 'file');
  }

  private async assertWithoutPages({ tpl_id, tpl_name }: ContentSchema): Promise<void> {
    if (!(await this.schemas.isTemplate(tpl_id))) return;
    const message = `Pages have the content schema ${tpl_name}. Give them another one before it is made a schema of blocks.`;
    throw new Problem('in_use', message, { errors: [{ path: 'tpl_kind', code: 'in_use', message }] });
  }

  private async assertRoom(tpl_library: string): Promise<void> {
    if (await this.schemas.hasAtLeast(tpl_library, MOST_SCHEMAS)) throw tooManySchemas();
  }

  private async save(schema: ContentSchema, before: JsonObject): Promise<void> {
    const { before: old, after: now } = changesBetween(before, shown(schema));
    const changed = Object.keys(now ?? {});
    if (changed.length === 0) return;
    schema.touch(this.clock);
    await this.schemas.save(schema);
    this.audit.record({ type: SCHEMAS_AUDIT['content_schema.updated'], target: targetOf(schema), before: old, after: now });
    this.emitChanged(schema, changed);
  }

  private emitChanged({ tpl_id, tpl_key, tpl_library, tpl_revision }: ContentSchema, changed: readonly string[]): void {
    this.outbox.emitEvent({
      name: 'content_schema.changed',
      subject_id: tpl_id,
      payload: { tpl_key, tpl_library, tpl_revision, changed: [...changed] },
    });
  }

  private async read(caller: Principal, tpl_id: string): Promise<VersionedSchemaRow> {
    const row = await this.schemas.findSchemaRow(caller, tpl_id);
    if (!row) throw notFound('content schema');
    return row;
  }

  private async runWithUniqueKey<T>(tpl_key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw violatesConstraint(error, 'content_schema_key_taken') ? schemaKeyTaken(tpl_key) : error;
    }
  }
}

const shown = (schema: ContentSchema): JsonObject => pick(schema, SHOWN);
const targetOf = ({ tpl_id, tpl_name }: ContentSchema) => ({ type: 'content_schema', id: tpl_id, name: tpl_name });

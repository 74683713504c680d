import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, defineAuditTypes } from '@atrium/platform/access';
import { Database, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, notFound, pick, Problem } from '@atrium/platform/kernel';
import { MediaAnalysisSchema, type SchemaFacts } from '../domain/analysis-schema';
import { AnalysisSchemasRepository, type SchemaRow } from '../infrastructure/analysis-schemas.repository';

/** What is kept of changes to what is asked of files. */
const ANALYSIS_AUDIT = defineAuditTypes({
  'media_analysis_schema.created': 'An analysis schema was created.',
  'media_analysis_schema.updated': 'An analysis schema was changed.',
  'media_analysis_schema.deleted': 'An analysis schema was deleted.',
});

export type { SchemaRow };

const MOST_SCHEMAS = 200;
const TOLD = ['mas_name', 'mas_title', 'mas_description', 'mas_kinds', 'mas_fields', 'mas_prompt', 'mas_auto', 'mas_active'] as const;

/** Schemas of analyses: what is asked of files. A deleted one leaves what was found. */
@Injectable()
export class AnalysisSchemas {
  constructor(
    private readonly db: Database,
    private readonly schemas: AnalysisSchemasRepository,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters): Promise<Page<SchemaRow>> {
    return this.db.read(() => this.schemas.listSchemas(query));
  }

  get(mas_id: string): Promise<SchemaRow & { row_version: number }> {
    return this.db.read(() => this.read(mas_id));
  }

  create(facts: SchemaFacts): Promise<SchemaRow> {
    return this.db.write(async () => {
      const schema = Object.assign(new MediaAnalysisSchema(), { mas_id: this.ids.next(), mas_created: this.clock.now() });
      await this.take(schema, facts);
      if ((await this.schemas.countSchemas()) >= MOST_SCHEMAS)
        throw new Problem('limit_reached', `A workspace can have at most ${MOST_SCHEMAS} analysis schemas.`);
      await this.schemas.insert(schema);
      this.audit.record({
        type: ANALYSIS_AUDIT['media_analysis_schema.created'],
        target: targetOf(schema),
        ...changesBetween(null, told(schema)),
      });
      return this.read(schema.mas_id);
    });
  }

  replace(mas_id: string, facts: SchemaFacts, precondition?: Precondition): Promise<SchemaRow> {
    return this.db.write(async () => {
      const schema = await this.schemas.lock(mas_id, precondition);
      const before = told(schema);
      await this.take(schema, facts);
      if (await this.schemas.save(schema))
        this.audit.record({
          type: ANALYSIS_AUDIT['media_analysis_schema.updated'],
          target: targetOf(schema),
          ...changesBetween(before, told(schema)),
        });
      return this.read(mas_id);
    });
  }

  remove(mas_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const schema = await this.schemas.lock(mas_id, precondition);
      await this.schemas.remove(schema);
      this.audit.record({
        type: ANALYSIS_AUDIT['media_analysis_schema.deleted'],
        target: targetOf(schema),
        ...changesBetween(told(schema), null),
      });
    });
  }

  private async take(schema: MediaAnalysisSchema, facts: SchemaFacts): Promise<void> {
    schema.take(facts, this.clock);
    if (await this.schemas.hasName(schema.mas_name, schema.mas_id))
      throw alreadyExists('mas_name', `An analysis schema named ${schema.mas_name} already exists.`);
  }

  private async read(mas_id: string): Promise<SchemaRow & { row_version: number }> {
    const row = await this.schemas.findSchemaRow(mas_id);
    if (!row) throw notFound('analysis schema');
    return row;
  }
}

const told = (schema: MediaAnalysisSchema): Partial<MediaAnalysisSchema> => pick(schema, TOLD);
const targetOf = ({ mas_id, mas_name }: MediaAnalysisSchema) => ({ type: 'media_analysis_schema', id: mas_id, name: mas_name });

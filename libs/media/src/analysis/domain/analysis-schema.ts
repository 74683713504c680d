import { isDeepStrictEqual } from 'node:util';
import { Flag, Id, Json, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { invalidField, invalidFields, Problem, type Clock } from '@atrium/platform/kernel';
import { faultsOf, FIELD_NAME, type AnalysisField } from './analysis-field';

const FILE_KINDS = ['image', 'video', 'audio', 'document', 'font', 'archive', 'other'] as const;

/** What a customer says of a schema. */
export interface SchemaFacts {
  readonly mas_name: string;
  readonly mas_title?: string | null;
  readonly mas_description?: string | null;
  readonly mas_kinds?: readonly string[];
  readonly mas_fields: readonly AnalysisField[];
  readonly mas_prompt?: string | null;
  readonly mas_auto?: boolean;
  readonly mas_active?: boolean;
}

/** What is to be found out about files: fields of the metadata, of measuring the picture, and of a model that sees it. */
@Resource({ table: 'media_analysis_schema', sort: '-mas_created' })
export class MediaAnalysisSchema extends TenantRow {
  @Id({ about: 'Id of the schema.' }) readonly mas_id!: string;
  @Text({
    min: 1,
    max: 40,
    form: FIELD_NAME,
    about: 'Name of the schema. Searches refer to results as `analysis.<name>.<field>`.',
    example: 'product_shot',
    filter: 'equals',
  })
  mas_name!: string;
  @Text({ optional: true, max: 255, about: 'Display title.', example: 'Product shot', filter: 'contains', sort: true }) mas_title!:
    string | null;
  @Text({ optional: true, max: 5_000, about: 'Purpose of the schema.' }) mas_description!: string | null;
  @TextList({ max: FILE_KINDS.length, about: 'Kinds of files the schema applies to. Empty: every kind.', example: ['image'] })
  mas_kinds!: readonly string[];
  @Text({ optional: true, max: 4_000, about: 'Instructions for the model in addition to those of the fields.' }) mas_prompt!: string | null;
  @Flag({ about: 'Whether every new file of these kinds is analyzed.', filter: 'equals' }) mas_auto!: boolean;
  @Whole({ about: 'Version of its fields, increased when they change.', example: 1, column: 'integer' }) mas_version!: number;
  @Flag({ about: 'Whether new analyses can use the schema.', filter: 'equals' }) mas_active!: boolean;
  @Stamp({ about: 'When it was created.', sort: true }) mas_created!: Date;
  @Stamp({ about: 'When it was last changed.', sort: true }) mas_updated!: Date;

  @Json({ internal: true }) mas_fields!: readonly AnalysisField[];

  /** Takes over what was said, all of it; what is left out is empty again. Other fields (or another order) make another version. */
  take(facts: SchemaFacts, clock: Clock): void {
    const faults = faultsOf(facts.mas_fields);
    if (faults.length > 0) throw invalidFields(faults);
    const strange = (facts.mas_kinds ?? []).find((kind) => !FILE_KINDS.some((known) => known === kind));
    if (strange !== undefined) throw invalidField('mas_kinds', `must contain only ${FILE_KINDS.join(', ')}`, 'choice');
    const fields = facts.mas_fields.map(plain);
    this.mas_name = facts.mas_name;
    this.mas_title = facts.mas_title ?? null;
    this.mas_description = facts.mas_description ?? null;
    this.mas_kinds = [...new Set(facts.mas_kinds ?? [])];
    this.mas_prompt = facts.mas_prompt ?? null;
    this.mas_auto = facts.mas_auto ?? false;
    this.mas_active = facts.mas_active ?? true;
    if (this.mas_fields === undefined || !isDeepStrictEqual(this.mas_fields, fields)) this.mas_version = (this.mas_version ?? 0) + 1;
    this.mas_fields = fields;
    this.mas_updated = clock.now();
  }

  isFor(kind: string): boolean {
    return this.mas_kinds.length === 0 || this.mas_kinds.includes(kind);
  }

  get asksModel(): boolean {
    return this.mas_fields.some(({ source }) => source === 'model');
  }

  get asksModelAlone(): boolean {
    return this.mas_fields.every(({ source }) => source === 'model');
  }
}

/** A field with what was said of it alone, in one order. */
const plain = ({ name, title, type, values, instruction, source, path, min, max, required, tag_group }: AnalysisField): AnalysisField => ({
  name,
  ...(title ? { title } : {}),
  type,
  ...(values && values.length > 0 ? { values: [...values] } : {}),
  ...(instruction ? { instruction } : {}),
  source,
  ...(path ? { path } : {}),
  ...(typeof min === 'number' ? { min } : {}),
  ...(typeof max === 'number' ? { max } : {}),
  ...(required ? { required } : {}),
  ...(tag_group ? { tag_group } : {}),
});

export const noModel = (): Problem =>
  new Problem(
    'not_configured',
    'All fields of the schema require a vision model, and none is configured. Configure one with the setting MODEL_VISION, or a model provider of the workspace.',
  );

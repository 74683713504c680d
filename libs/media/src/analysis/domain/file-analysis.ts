import { Choice, Decimal, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { invalidField, invalidState, StateMachine, type Clock, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { readValue, type AnalysisField } from './analysis-field';

export const ANALYSIS_STATES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;
export type AnalysisState = (typeof ANALYSIS_STATES)[number];

/** A field without a value, and why. */
export interface MissingField {
  readonly field: string;
  readonly reason: MissingReason;
}

/** It is not there, what was said does not fit, there is no model or no picture, the model refused, or its provider failed. */
export const MISSING_REASONS = ['absent', 'invalid', 'no_model', 'no_picture', 'refused', 'unavailable'] as const;
export type MissingReason = (typeof MISSING_REASONS)[number];

/** What was found out in one run. */
export interface Findings {
  readonly values: JsonObject;
  readonly confidence: Readonly<Record<string, number>>;
  readonly missing: readonly MissingField[];
  /** A sentence for people, where something went wrong for good. */
  readonly error: string | null;
  /** No model was asked because there were no credits for it. */
  readonly lacksCredits?: boolean;
}

/** What a model answered so far, kept between calls. */
export interface KeptAnswer {
  readonly values: JsonObject;
  readonly confidence: JsonObject;
}

const states = new StateMachine<AnalysisState>('analysis', {
  queued: ['running', 'cancelled', 'failed'],
  running: ['completed', 'partial', 'failed', 'cancelled'],
});

/** What is known of a file by one schema. What people corrected outranks every machine; what the machine says of it is kept beside. */
@Resource({ table: 'file_analysis', sort: '-fa_created' })
export class FileAnalysis extends TenantRow {
  @Id({ about: 'Id of the analysis.' }) readonly fa_id!: string;
  @Ref({ about: 'The file.', filter: 'equals' }) readonly fa_file!: string;
  @Whole({ about: 'Version of the analyzed file.', example: 1, column: 'integer' }) fa_version!: number;
  @Ref({ about: 'Schema of the analysis. It may have been deleted since.', filter: 'equals' }) readonly fa_schema!: string;
  @Whole({ about: "Version of the schema's fields.", example: 1, column: 'integer' }) fa_schema_version!: number;
  @Choice(ANALYSIS_STATES, { about: 'Status. `partial`: completed, with fields that have no value (see `fa_missing`).', filter: 'equals' })
  fa_status!: AnalysisState;
  @Flag({ about: 'Whether this is the current analysis of the file with its schema; others are history.', filter: 'equals' })
  fa_live!: boolean;
  @Json({ about: 'Values by field.', example: { mood: 'calm' } }) fa_result!: JsonObject;
  @Json({ about: 'Confidence of each value, 0 to 1.', example: { mood: 0.9 } }) fa_confidence!: Readonly<Record<string, number>>;
  @TextList({ about: 'Fields that people corrected. Later analyses do not change them.', example: ['mood'] }) fa_edited!: readonly string[];
  @Json({ about: 'Values that the model returned for the corrected fields.', example: { mood: 'wild' } }) fa_machine!: JsonObject;
  @Text({ optional: true, about: 'Model that was used, `provider/model`. Null: none.' }) fa_model!: string | null;
  @Decimal({ about: 'Cost of the model calls in credits.', example: 0.01, column: 'numeric' }) fa_credits!: number;
  @Text({ optional: true, max: 1_000, about: 'Reason for the failure.' }) fa_error!: string | null;
  @Stamp({ about: 'When it was requested.', filter: 'range', sort: true }) fa_created!: Date;
  @Stamp({ about: 'When it was last changed.' }) fa_updated!: Date;
  @Ref({ optional: true, about: 'User who requested it. Null: the service, for a new file.' }) readonly fa_created_by!: string | null;

  @Json({ internal: true }) fa_missing!: readonly MissingField[];
  @Whole({ internal: true, column: 'integer' }) fa_calls!: number;
  @Json({ internal: true, optional: true }) fa_answer!: KeptAnswer | null;
  @Ref({ internal: true, optional: true }) fa_hold!: string | null;
  @Ref({ internal: true, optional: true }) readonly fa_job!: string | null;
  /** The first member who requested one that the service had begun. It is a job of theirs; neither its cost nor its retry is. */
  @Ref({ internal: true, optional: true }) fa_joined_by!: string | null;
  /** The service makes it again automatically once there are credits. */
  @Flag({ internal: true }) fa_lacks_credits!: boolean;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<
      FileAnalysis,
      'fa_id' | 'fa_file' | 'fa_version' | 'fa_schema' | 'fa_schema_version' | 'fa_live' | 'fa_hold' | 'fa_job' | 'fa_created_by'
    >,
    now: Date,
  ): FileAnalysis {
    return Object.assign(new FileAnalysis(), {
      fa_status: 'queued' as const,
      fa_result: {},
      fa_confidence: {},
      fa_missing: [],
      fa_edited: [],
      fa_machine: {},
      fa_model: null,
      fa_credits: 0,
      fa_error: null,
      fa_calls: 0,
      fa_answer: null,
      fa_joined_by: null,
      fa_lacks_credits: false,
      fa_created: now,
      fa_updated: now,
      ...facts,
    });
  }

  get isFinished(): boolean {
    return this.fa_status !== 'queued' && this.fa_status !== 'running';
  }

  /** A run begins, the first or one after a worker was lost; it uses the current file. */
  begin(version: number, schema_version: number, clock: Clock): void {
    if (this.fa_status !== 'running') this.fa_status = states.move(this.fa_status, 'running');
    this.fa_version = version;
    this.fa_schema_version = schema_version;
    this.fa_updated = clock.now();
  }

  /** A call of the model was made: it is counted, and what it answered is kept for a worker that takes over. */
  called(
    { answer, model, credits }: { readonly answer: KeptAnswer; readonly model: string; readonly credits: number },
    clock: Clock,
  ): void {
    this.fa_calls += 1;
    this.fa_answer = answer;
    this.fa_model = model;
    this.fa_credits = Math.round((Number(this.fa_credits) + credits) * 1e6) / 1e6;
    this.fa_updated = clock.now();
  }

  /** The run is done. `before` was current until now: its corrections stay, as long as the field is there. */
  finish(
    { values, confidence, missing, error, lacksCredits = false }: Findings,
    fields: readonly AnalysisField[],
    before: Pick<FileAnalysis, 'fa_result' | 'fa_edited'> | null,
    clock: Clock,
  ): void {
    const kept = (before?.fa_edited ?? []).filter((name) =>
      fields.some((field) => field.name === name && isKept(field, before?.fa_result[name])),
    );
    this.fa_edited = kept;
    this.fa_machine = pick(values, kept);
    this.fa_result = { ...values, ...pick(before?.fa_result ?? {}, kept) };
    this.fa_confidence = { ...confidence, ...Object.fromEntries(kept.map((name) => [name, 1])) };
    this.fa_missing = missing.filter(({ field }) => !kept.includes(field));
    this.fa_error = error;
    this.fa_lacks_credits = lacksCredits && this.fa_created_by === null && this.fa_job === null;
    this.fa_answer = null;
    this.fa_status = states.move(this.fa_status, this.outcome(fields));
    this.fa_updated = clock.now();
  }

  fail(reason: string, clock: Clock): void {
    this.fa_status = states.move(this.fa_status, 'failed');
    this.fa_error = reason.slice(0, 1_000);
    this.fa_answer = null;
    this.fa_updated = clock.now();
  }

  cancel(clock: Clock): void {
    this.fa_status = states.move(this.fa_status, 'cancelled');
    this.fa_updated = clock.now();
  }

  /** What people say instead of the machine; null takes a correction back. */
  correct(corrections: JsonObject, fields: readonly AnalysisField[], clock: Clock): void {
    if (this.fa_status !== 'completed' && this.fa_status !== 'partial')
      throw invalidState(`The analysis is ${this.fa_status} and has no results to correct.`);
    for (const [name, given] of Object.entries(corrections)) this.correctField(name, given ?? null, fields);
    this.fa_updated = clock.now();
  }

  private correctField(name: string, given: JsonValue, fields: readonly AnalysisField[]): void {
    const field = fields.find((one) => one.name === name);
    if (!field) throw invalidField(`fa_result.${name}`, 'is not a field of the schema', 'unknown_field');
    const was = this.fa_edited.includes(name) ? this.fa_machine[name] : this.fa_result[name];
    if (given === null) {
      this.fa_edited = this.fa_edited.filter((one) => one !== name);
      this.fa_machine = without(this.fa_machine, name);
      this.fa_result = was === undefined ? without(this.fa_result, name) : { ...this.fa_result, [name]: was };
      if (was === undefined && !this.fa_missing.some((missing) => missing.field === name))
        this.fa_missing = [...this.fa_missing, { field: name, reason: 'absent' }];
      return;
    }
    const read = readValue(field, given);
    if ('fault' in read) throw invalidField(`fa_result.${name}`, read.fault, 'invalid');
    this.fa_result = { ...this.fa_result, [name]: read.value };
    this.fa_machine = was === undefined ? this.fa_machine : { ...this.fa_machine, [name]: was };
    this.fa_confidence = { ...this.fa_confidence, [name]: 1 };
    this.fa_missing = this.fa_missing.filter((missing) => missing.field !== name);
    if (!this.fa_edited.includes(name)) this.fa_edited = [...this.fa_edited, name];
    if (this.fa_missing.length === 0 && this.fa_error === null) this.fa_status = 'completed';
  }

  /** Completed when every field has a value or has none for a good reason; failed when nothing came of it. */
  private outcome(fields: readonly AnalysisField[]): 'completed' | 'partial' | 'failed' {
    if (this.fa_error !== null && Object.keys(this.fa_result).length === 0) return 'failed';
    const wanting = this.fa_missing.some(
      ({ field, reason }) => reason !== 'absent' || fields.some(({ name, required }) => name === field && required),
    );
    return wanting ? 'partial' : 'completed';
  }
}

const isKept = (field: AnalysisField, value: JsonValue | undefined): boolean => value !== undefined && 'value' in readValue(field, value);

const pick = (values: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));

const without = (values: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));

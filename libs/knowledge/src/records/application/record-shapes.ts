import { Injectable } from '@nestjs/common';
import { assertWritable, FormRows, Forms, FormValues, type OpenForm } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { FieldFault, JsonObject, JsonValue } from '@atrium/platform/kernel';
import { faultsOfText } from '../domain/record-checks';
import type { RecordFacts } from '../domain/record-facts';

/** The schema of the records of a base, or none. */
export interface ShapedBase {
  readonly form_id: string | null;
}

/** Content to be stored; `previous` is the stored one. */
export interface Draft {
  readonly rec_id: string;
  readonly rec_name: string | undefined;
  readonly rec_content: JsonObject;
  readonly previous: { readonly rec_name: string; readonly rec_content: JsonObject } | null;
}

/** What is stored of a record under its name. */
export interface NamedContent {
  readonly rec_id: string;
  readonly rec_name: string;
  readonly rec_content: JsonObject;
}

/** Name and content as they are stored, or why they are not. */
export type Shaped =
  | { readonly rec_name: string; readonly rec_content: JsonObject; readonly faults: readonly [] }
  | { readonly rec_content: null; readonly faults: readonly FieldFault[] };

/** The words of a record by their weight in full text search. */
export interface RecordWords {
  readonly title: string;
  readonly summary: string;
  readonly text: string;
}

/** A value that another row of the schema has already. */
export interface TakenField {
  readonly rec_id: string;
  readonly field: string;
}

/** What the records of a base hold: a text, or values by a schema. */
export interface RecordShape {
  readonly form: OpenForm | null;
  /** Another revision may read the same content differently. */
  readonly revision: number;
  shapeDrafts(drafts: readonly Draft[], acting: Principal | null): Promise<readonly Shaped[]>;
  /** The same content under another name, where its shape leaves the name to its writer. */
  renamedRecord(previous: NamedContent, rec_name: string | undefined): Shaped;
  /** The same for values of a unique field that find the same record, however they are written. */
  uniqueKey(key: string, value: JsonValue): string;
  /** Content with the automatic numbers that it lacks, in the order of the contents: the last thing to do before records are written. */
  assignNumbers(contents: readonly JsonObject[]): Promise<readonly JsonObject[]>;
  recordWords(facts: Pick<RecordFacts, 'rec_name' | 'rec_content'>): RecordWords;
  /** What is indexed and cited. */
  toMarkdown(content: JsonObject): string;
  /** Writes what lists find of the records of a base; answers the unique values that others of the base have. */
  indexRecords(
    records: readonly Pick<NamedContent, 'rec_id' | 'rec_content'>[],
    into: { readonly base: string; readonly fresh: boolean },
  ): Promise<readonly TakenField[]>;
}

/** Opens the shape of a base; within a unit of work. */
@Injectable()
export class RecordShapes {
  constructor(
    private readonly rows: FormRows,
    private readonly forms: Forms,
    private readonly values: FormValues,
  ) {}

  /** For writing: the schema is kept from changing, and content is refused while it is inactive. */
  async readShapeForWriting({ form_id }: ShapedBase, { content = true }: { readonly content?: boolean } = {}): Promise<RecordShape> {
    if (form_id === null) return TEXT;
    const form = await this.rows.openForm('record', form_id, 'share');
    if (content) assertWritable(form);
    return this.toShape(form);
  }

  async readShapeForReading({ form_id }: ShapedBase): Promise<RecordShape> {
    return form_id === null ? TEXT : this.toShape(await this.rows.openForm('record', form_id));
  }

  toShape(form: OpenForm): RecordShape {
    return new FormShape(form, this.forms, this.values);
  }
}

/** A title and markdown, whose HTML `RecordBodies` has taken out. */
const TEXT: RecordShape = {
  form: null,
  revision: 0,
  shapeDrafts: (drafts) => Promise.resolve(drafts.map(shapeText)),
  renamedRecord: (previous, rec_name) => ({
    rec_name: rec_name?.trim() ?? previous.rec_name,
    rec_content: previous.rec_content,
    faults: [],
  }),
  recordWords: ({ rec_name, rec_content }) => ({ title: rec_name, summary: '', text: bodyOf(rec_content) }),
  toMarkdown: bodyOf,
  uniqueKey: (_, value) => JSON.stringify(value),
  assignNumbers: (contents) => Promise.resolve(contents),
  indexRecords: () => Promise.resolve([]),
};

function bodyOf({ body }: JsonObject): string {
  return typeof body === 'string' ? body : '';
}

function shapeText({ rec_name, rec_content, previous }: Draft): Shaped {
  const content = { ...previous?.rec_content, ...rec_content };
  const name = rec_name?.trim() ?? previous?.rec_name;
  const faults = [
    ...(name === undefined ? [{ path: 'rec_name', code: 'required', message: 'is required in a text base' }] : []),
    ...faultsOfText(content),
  ];
  if (faults.length > 0 || name === undefined) return { rec_content: null, faults };
  return { rec_name: name, rec_content: { body: bodyOf(content) }, faults: [] };
}

const LONGEST_NAME = 500;

/** Values by the schema of the base; the title field names the record. */
class FormShape implements RecordShape {
  constructor(
    readonly form: OpenForm,
    private readonly forms: Forms,
    private readonly values: FormValues,
  ) {}

  get revision(): number {
    return this.form.form_revision;
  }

  async shapeDrafts(drafts: readonly Draft[], acting: Principal | null): Promise<readonly Shaped[]> {
    const validated = await this.forms.validateAll(
      this.form.compiled,
      drafts.map(({ rec_id, rec_content, previous }) => ({
        mode: previous ? 'update' : 'create',
        content: rec_content,
        previous: previous?.rec_content ?? null,
        owner_id: previous ? rec_id : null,
        at: 'rec_content',
      })),
      acting,
    );
    return validated.map(({ content, faults }, at): Shaped => {
      const draft = drafts[at];
      if (content === null || !draft) return { rec_content: null, faults };
      return {
        rec_name: this.nameOf(content, draft.rec_id, { said: draft.rec_name, before: draft.previous?.rec_name }),
        rec_content: content,
        faults: [],
      };
    });
  }

  renamedRecord({ rec_id, rec_name: before, rec_content }: NamedContent, said: string | undefined): Shaped {
    return { rec_name: this.nameOf(rec_content, rec_id, { said, before }), rec_content, faults: [] };
  }

  recordWords({ rec_content, rec_name }: Pick<RecordFacts, 'rec_name' | 'rec_content'>): RecordWords {
    const words = this.forms.contentWords(this.form.compiled, rec_content);
    return { ...words, title: words.title || rec_name };
  }

  toMarkdown(content: JsonObject): string {
    return this.forms.toMarkdown(this.form.compiled, content);
  }

  uniqueKey(key: string, value: JsonValue): string {
    return this.forms.uniqueKey(this.form.compiled, key, value);
  }

  assignNumbers(contents: readonly JsonObject[]): Promise<readonly JsonObject[]> {
    return this.values.assignNumbers(this.form, contents);
  }

  async indexRecords(
    records: readonly Pick<NamedContent, 'rec_id' | 'rec_content'>[],
    { base, fresh }: { readonly base: string; readonly fresh: boolean },
  ): Promise<readonly TakenField[]> {
    const taken = await this.values.tryIndexRows(
      this.form,
      records.map(({ rec_id, rec_content }) => ({ owner_id: rec_id, content: rec_content, within: base })),
      { fresh },
    );
    return taken.map(({ owner_id, field_key }) => ({ rec_id: owner_id, field: field_key }));
  }

  /** By the title field; where it gives none, as the writer says, or as it was; where the title is closed to some readers, by its id. */
  private nameOf(
    content: JsonObject,
    rec_id: string,
    { said, before }: { readonly said: string | undefined; readonly before: string | undefined },
  ): string {
    const { compiled, form_name } = this.form;
    const kept = before === undefined ? undefined : this.forms.toStoredName(compiled, { id: rec_id, name: before, content });
    const usual = compiled.closedTitle ? rec_id : form_name;
    return (this.forms.contentTitle(compiled, content) ?? said?.trim() ?? kept ?? usual).slice(0, LONGEST_NAME);
  }
}

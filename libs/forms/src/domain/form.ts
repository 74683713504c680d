import { Active, Choice, Id, Json, Nested, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { invalidState, type Clock, type JsonObject } from '@atrium/platform/kernel';
import type { RetiredFields } from './retired-fields';

/** Kinds of forms that are rows of their own; the others are configurations inside the rows of their owners. */
export const ROW_KINDS = ['object', 'record', 'task'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** Manages the standard templates: their rows are the same in every workspace and read only. */
export const PLATFORM_ID = '00000000-0000-4000-8000-000000000001';

/** The background work of the last change of a form. */
export class FormMigrationView {
  @Choice(['queued', 'running', 'done', 'failed'], { about: 'Status of the work.' }) status!: 'queued' | 'running' | 'done' | 'failed';
  @Whole({ about: 'Number of rows processed.' }) done!: number;
  @Whole({ about: 'Number of rows when the work began.' }) total!: number;
}

/** A form of a workspace: its configuration decides what rows of its kind hold. Managed forms never change here. */
@Resource({ table: 'form', sort: '-form_created' })
export class Form extends TenantRow {
  @Id({ about: 'Id of the form.' }) readonly form_id!: string;
  @Text({
    min: 1,
    max: 255,
    about: 'Name of the form; unique among the active forms of its kind, ignoring case.',
    example: 'Product',
    filter: 'contains',
    sort: true,
  })
  form_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Description of the form.', filter: 'contains' }) form_description!: string | null;
  @Json({
    about: 'Fields, layout and rules in the form language; at most 64 KB.',
    example: { version: 1, fields: [{ key: 'name', type: 'text', label: 'Name' }] },
  })
  form_config!: JsonObject;
  @Json({
    about: 'Free metadata, at most 64 KB. `icon`, `color`, `plural_name`, `retrieval` and `acl` have a meaning.',
    example: { icon: 'box' },
  })
  form_metadata!: JsonObject;
  @Ref({
    optional: true,
    about: 'Extension that manages the form, or the platform. Null: the workspace. Managed forms are read-only.',
    filter: 'equals',
  })
  form_managed_by!: string | null;
  @Active('change', { about: 'Whether the form is active; false if it was deleted. Deleted forms accept no new content.' })
  form_active!: boolean;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) form_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) form_updated!: Date;
  @Whole({ about: 'Revision, increased with every change of the configuration.', column: 'integer' }) form_revision!: number;
  @Nested(() => FormMigrationView, { optional: true, about: 'Background work of the last change. Null if there was none.' })
  form_migration!: FormMigrationView | null;

  @Choice(ROW_KINDS, { internal: true }) form_kind!: RowKind;
  @Json({ internal: true }) form_retired!: RetiredFields;
  @Ref({ internal: true, optional: true }) form_created_by!: string | null;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<
      Form,
      'form_id' | 'form_kind' | 'form_name' | 'form_description' | 'form_config' | 'form_metadata' | 'form_active' | 'form_created_by'
    >,
    now: Date,
  ): Form {
    return Object.assign(new Form(), {
      form_managed_by: null,
      form_revision: 1,
      form_retired: {},
      form_created: now,
      form_updated: now,
      ...facts,
    });
  }

  assertOwn(): void {
    if (this.form_managed_by !== null)
      throw invalidState('The form is managed and cannot be changed. Copy it under another name and change the copy.');
  }

  touch(clock: Clock): void {
    this.form_updated = clock.now();
  }
}

/** Whether retrieval is to know rows of the form. */
export const isRetrieved = ({ form_metadata }: Pick<Form, 'form_metadata'>): boolean => form_metadata.retrieval === true;

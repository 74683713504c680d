import { Form, FormMigrationView } from '@atrium/forms';
import { Flag, Json, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';

const SAID = ['form_description', 'form_config', 'form_metadata'] as const;

@Accepts()
class ObjectSchemaState {
  @Flag({
    omittable: true,
    about: 'Whether the schema is active. Objects of an inactive schema cannot be created, and their content cannot be changed.',
  })
  form_active?: boolean;
}

export class CreateObjectSchema extends Body(Form, { required: ['form_name'], optional: [...SAID] }) {}

export class ChangeObjectSchema extends Body(Form, { optional: ['form_name', ...SAID], with: ObjectSchemaState }) {}

Answer()(FormMigrationView);

@Answer()
class ObjectSchemaRow extends View(Form) {}

@Answer()
export class ObjectSchemaView extends View(Form) {
  @Whole({ about: 'Number of objects of the schema that you can view, without deleted ones.', example: 1_200 }) form_object_count!: number;
}

@Answer()
export class ObjectSchemaDetails extends ObjectSchemaView {
  @Json({ omittable: true, about: 'With `compiled=true`: JSON Schema 2020-12 of the stored content.', example: { type: 'object' } })
  json_schema?: JsonObject;
}

export class ObjectSchemaPage extends PageOf(ObjectSchemaRow) {}

/** Query of GET /object-schemas/{id}. */
@Accepts()
export class ReadObjectSchema {
  compiled?: boolean;
}
acceptParameter(ReadObjectSchema, { name: 'compiled', kind: 'flag', about: 'Whether to include `json_schema`.' });

export class ListObjectSchemas extends ListQuery(Form, { without: ['form_active'] }) {
  form_active?: boolean;
  form_metadata?: JsonObject;
}
acceptParameter(
  ListObjectSchemas,
  { name: 'form_active', kind: 'flag' },
  { type: 'boolean', default: true, description: 'Active schemas, or inactive schemas.' },
);
acceptParameter(
  ListObjectSchemas,
  { name: 'form_metadata', kind: 'json' },
  {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 20,
    description: 'Values in the metadata, by key: `form_metadata[icon]=box`.',
  },
);

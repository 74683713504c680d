import { Form, FormMigrationView } from '@atrium/forms';
import { Flag } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';

@Accepts()
class SchemaState {
  @Flag({ omittable: true, about: 'Whether the schema is active. Content of an inactive schema cannot be created or changed.' })
  form_active?: boolean;
}

export class CreateRecordSchema extends Body(Form, {
  required: ['form_name', 'form_config'],
  optional: ['form_description', 'form_metadata'],
}) {}

export class ChangeRecordSchema extends Body(Form, {
  optional: ['form_name', 'form_description', 'form_config', 'form_metadata'],
  with: SchemaState,
}) {}

export class ForkRecordSchema extends Body(Form, { required: ['form_name'] }) {}

Answer()(FormMigrationView);

@Answer()
export class RecordSchemaView extends View(Form) {}

export class RecordSchemaPage extends PageOf(RecordSchemaView) {}

export class ListRecordSchemas extends ListQuery(Form, { without: ['form_active'] }) {
  template?: boolean;
  form_active?: boolean;
}
acceptParameter(ListRecordSchemas, {
  name: 'template',
  kind: 'flag',
  about: 'True for only the standard templates, false for only the others.',
});
acceptParameter(
  ListRecordSchemas,
  { name: 'form_active', kind: 'flag' },
  { type: 'boolean', default: true, description: 'Active schemas, or inactive schemas.' },
);

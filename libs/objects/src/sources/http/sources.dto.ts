import { Flag, Json, NestedList, Text, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { ObjectSource } from '../domain/object-source';

@Accepts()
class WrittenCredentials {
  @Json({
    secret: true,
    optional: true,
    max: 16 * 1024,
    about:
      'Credentials: `token` (bearer), `username` and `password` (basic, and the kind `sql`) or `value` (header); null removes them. They are stored encrypted and never returned.',
    example: { token: 'secret' },
  })
  osr_credentials?: Record<string, never> | null;
}

/** Body of POST /object-sources. */
export class CreateObjectSource extends Body(ObjectSource, {
  required: ['osr_name', 'osr_kind', 'osr_form', 'osr_config', 'osr_mapping'],
  optional: ['osr_description', 'osr_mode', 'osr_on_missing', 'osr_delete_limit', 'osr_conflict', 'osr_cron', 'osr_timezone', 'osr_active'],
  with: WrittenCredentials,
}) {}

/** Body of PATCH /object-sources/{id}. */
export class ChangeObjectSource extends Body(ObjectSource, {
  optional: [
    'osr_name',
    'osr_description',
    'osr_config',
    'osr_mapping',
    'osr_mode',
    'osr_on_missing',
    'osr_delete_limit',
    'osr_conflict',
    'osr_cron',
    'osr_timezone',
    'osr_active',
  ],
  with: WrittenCredentials,
}) {}

/** Body of POST /object-sources/test. */
export class TestObjectSource extends Body(ObjectSource, {
  required: ['osr_kind', 'osr_form', 'osr_config', 'osr_mapping'],
  with: WrittenCredentials,
}) {}

/** Body of POST /object-sources/{id}/sync. */
@Accepts()
export class SyncObjectSource {
  @Flag({ omittable: true, about: 'Whether to deactivate missing objects even if they are more than `osr_delete_limit` percent.' })
  force_deletes?: boolean;
}

export class ListObjectSources extends ListQuery(ObjectSource) {}

@Answer()
export class ObjectSourceView extends View(ObjectSource) {
  @Flag({ about: 'Whether credentials are stored.' }) osr_credentials_set!: boolean;
}
export class ObjectSourcePage extends PageOf(ObjectSourceView) {}

@Answer()
class TrialFaultView {
  @Text({ about: 'Field of the schema, or property of the object.', example: 'obj_content.price' }) path!: string;
  @Text({ about: 'Code of the error.', example: 'format' }) code!: string;
  @Text({ about: 'Explanation of the error.', example: 'price is not a number: "free".' }) message!: string;
}

@Answer()
class TrialRowView {
  @Json({ optional: true, about: 'The row as returned by the source; null if it cannot be read.', example: { sku: 'a-1', title: 'Lamp' } })
  raw!: unknown;
  @Json({
    optional: true,
    about: 'Result of the mapping: `obj_external_id`, `obj_name`, `obj_external_url`, `updated`, `deleted` and `obj_content`.',
    example: { obj_external_id: 'a-1', obj_name: 'Lamp', obj_content: { title: 'Lamp' } },
  })
  mapped!: object | null;
  @NestedList(() => TrialFaultView, { about: 'Errors of the row.' }) errors!: TrialFaultView[];
}

@Answer()
export class ObjectSourceTrialView {
  @Flag({ about: 'Whether all sample rows can be imported.' }) ok!: boolean;
  @NestedList(() => TrialRowView, { about: 'First rows, at most 5.' }) sample!: TrialRowView[];
  @Whole({ about: 'Number of pages read for the sample.', example: 1 }) pages_seen!: number;
}

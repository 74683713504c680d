import { Whole } from '@atrium/platform/database';
import { Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { ContentSchema } from '../domain/content-schema';

const DESCRIBED = ['tpl_description', 'tpl_icon', 'tpl_color', 'tpl_group', 'tpl_config', 'tpl_preview_file'] as const;

export class CreateContentSchema extends Body(ContentSchema, {
  required: ['tpl_library', 'tpl_key', 'tpl_name', 'tpl_kind'],
  optional: DESCRIBED,
}) {}

export class ChangeContentSchema extends Body(ContentSchema, { optional: ['tpl_name', 'tpl_kind', ...DESCRIBED, 'tpl_active'] }) {}

export class ListContentSchemas extends ListQuery(ContentSchema) {
  tpl_active?: boolean;
}

@Answer()
export class ContentSchemaView extends View(ContentSchema) {
  @Whole({ about: 'Number of pages with the schema on sites that you can view. Blocks on pages are not counted.', example: 24 })
  tpl_use_count!: number;
}

export class ContentSchemaPage extends PageOf(ContentSchemaView) {}

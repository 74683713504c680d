import type { MetadataFilter } from '@atrium/files';
import { Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Wildcard } from '../domain/wildcard';

const OPTIONAL = ['wildcard_description', 'wildcard_control_props', 'wildcard_metadata'] as const;

export class CreateWildcard extends Body(Wildcard, { required: ['wildcard_name', 'wildcard_control_type'], optional: [...OPTIONAL] }) {}

export class ChangeWildcard extends Body(Wildcard, {
  optional: ['wildcard_name', 'wildcard_control_type', 'wildcard_active', ...OPTIONAL],
}) {}

export class ListWildcards extends ListQuery(Wildcard) {
  wildcard_active?: boolean;
  wildcard_metadata?: MetadataFilter;
}
acceptParameter(
  ListWildcards,
  { name: 'wildcard_metadata', kind: 'json' },
  { type: 'object', additionalProperties: true, description: 'Exact values in the metadata, by key: `wildcard_metadata[team]=press`.' },
);

@Answer()
export class WildcardView extends View(Wildcard) {
  @Whole({ about: 'Number of active prompts that use the wildcard and that you can view.', example: 3 }) wildcard_prompt_count!: number;
}

export class WildcardPage extends PageOf(WildcardView) {}

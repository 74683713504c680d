import { Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Prompt } from '../domain/prompt';
import { PromptCategory } from '../domain/prompt-category';

const OPTIONAL = [
  'prompt_description',
  'prompt_agent',
  'prompt_model',
  'prompt_params',
  'prompt_knowledge',
  'prompt_categories',
  'prompt_icon',
  'prompt_acl',
  'prompt_metadata',
] as const;

export class CreatePrompt extends Body(Prompt, { required: ['prompt_name', 'prompt_text'], optional: [...OPTIONAL] }) {}

export class ChangePrompt extends Body(Prompt, { optional: ['prompt_name', 'prompt_text', 'prompt_active', ...OPTIONAL] }) {}

export class ListPrompts extends ListQuery(Prompt) {
  prompt_active?: boolean;
  prompt_category?: string;
  full_text_search?: string;
}
acceptParameter(
  ListPrompts,
  { name: 'prompt_category', kind: 'id' },
  { type: 'string', format: 'uuid', description: 'Only prompts in this category or its subcategories.' },
);
acceptParameter(ListPrompts, {
  name: 'full_text_search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Words in the name, description or text. Supports quotes, `or` and `-`, as in a web search.',
});

@Answer()
export class PromptView extends View(Prompt) {}

export class PromptPage extends PageOf(PromptView) {}

const OF_CATEGORY = ['pcat_description', 'pcat_parent', 'pcat_order'] as const;

export class CreatePromptCategory extends Body(PromptCategory, { required: ['pcat_name'], optional: [...OF_CATEGORY] }) {}

export class ChangePromptCategory extends Body(PromptCategory, { optional: ['pcat_name', 'pcat_active', ...OF_CATEGORY] }) {}

export class ListPromptCategories extends ListQuery(PromptCategory) {
  pcat_active?: boolean;
}

@Answer()
export class PromptCategoryView extends View(PromptCategory) {
  @Whole({ about: 'Number of active prompts in the category that you can view, without its subcategories.', example: 4 })
  pcat_prompt_count!: number;
}

export class PromptCategoryPage extends PageOf(PromptCategoryView) {}

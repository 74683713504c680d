import { Active, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { alreadyExists, pick, type Clock, type JsonObject, type Problem } from '@atrium/platform/kernel';
import { wildcardsOf } from './prompt-text';

/** Characters that a name may have. */
export const LONGEST_NAME = 120;

/** What a client says of a prompt. */
export interface PromptFacts {
  readonly prompt_name?: string;
  readonly prompt_description?: string | null;
  readonly prompt_text?: string;
  readonly prompt_agent?: string | null;
  readonly prompt_model?: string | null;
  readonly prompt_params?: JsonObject;
  readonly prompt_knowledge?: readonly string[];
  readonly prompt_categories?: readonly string[];
  readonly prompt_icon?: string | null;
  readonly prompt_acl?: JsonObject;
  readonly prompt_metadata?: JsonObject;
  readonly prompt_active?: boolean;
}

/** What a version of a prompt is made of. */
export const SETTINGS = [
  'prompt_name',
  'prompt_description',
  'prompt_text',
  'prompt_agent',
  'prompt_model',
  'prompt_params',
  'prompt_knowledge',
  'prompt_categories',
  'prompt_icon',
  'prompt_acl',
  'prompt_active',
  'prompt_metadata',
] as const;

/** A text that is sent to an agent again and again. What it leaves open between braces is asked for when it is run. Each change makes a version. */
@Resource({ table: 'prompt', sort: '-prompt_created' })
export class Prompt extends TenantRow {
  @Id({ about: 'Id of the prompt.' }) readonly prompt_id!: string;
  @Text({
    min: 1,
    max: LONGEST_NAME,
    about: 'Name of the prompt; unique among the active prompts of its creator, in any case.',
    example: 'Reply to a complaint',
    filter: 'contains',
    sort: true,
  })
  prompt_name!: string;
  @Text({ max: 5_000, optional: true, about: 'What the prompt is for.' }) prompt_description!: string | null;
  @Text({
    min: 1,
    max: 50_000,
    about: 'Text of the prompt. `{{name}}` is replaced by the value of the wildcard with that name; `\\{{` is a literal `{{`.',
    example: 'Write a {{tone}} reply to this complaint: {{complaint}}',
  })
  prompt_text!: string;
  @Ref({ optional: true, about: 'Id of the agent that answers; null for the agent of the thread.', filter: 'equals' }) prompt_agent!:
    string | null;
  @Text({ max: 200, optional: true, about: 'Text model of GET /models; null for the model of the agent.', example: 'openai/gpt-5-mini' })
  prompt_model!: string | null;
  @Json({
    about:
      'Model parameters: temperature (0–2), top_p (0–1), max_output_tokens (1–64,000), reasoning (off, low, medium, high), stop (up to 4 texts).',
    example: {},
  })
  prompt_params!: JsonObject;
  @IdList({ max: 50, about: 'Ids of the knowledge bases that a run searches (`ds_id`).', example: [] }) prompt_knowledge!: string[];
  @IdList({ max: 50, computed: true, about: "Ids of the prompt's categories (`pcat_id`).", example: [] }) prompt_categories!: string[];
  @TextList({ about: 'Names of the wildcards in the text, in order.', example: ['tone', 'complaint'] }) prompt_wildcards!: string[];
  @Text({ max: 64, optional: true, about: 'Emoji, icon name, or `file:<id>` of a picture.', example: '✉️' })
  prompt_icon!: string | null;
  @Json({
    about:
      'Access list: {users, roles, spaces}, each with view (see and run), edit or owner by id. When empty, every member with the permission has access.',
    example: {},
  })
  prompt_acl!: JsonObject;
  @Ref({ optional: true, about: 'Who created the prompt.', filter: 'equals' }) prompt_user!: string | null;
  @Whole({ about: 'Version of the prompt, which increases with every change.', example: 1, column: 'integer' }) prompt_version!: number;
  @Whole({ about: 'How often the prompt was run.', example: 12, column: 'integer', generated: true }) readonly prompt_run_count!: number;
  @Active('change', { about: 'Whether the prompt is active; false if it was deleted.' }) prompt_active!: boolean;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: {} }) prompt_metadata!: JsonObject;
  @Stamp({ about: 'When the prompt was created.', filter: 'range', sort: true }) prompt_created!: Date;
  @Stamp({ about: 'When the prompt was last changed.', filter: 'range', sort: true }) prompt_updated!: Date;

  static blank(facts: { readonly prompt_id: string; readonly prompt_user: string }, clock: Clock): Prompt {
    return Object.assign(new Prompt(), {
      prompt_description: null,
      prompt_agent: null,
      prompt_model: null,
      prompt_params: {},
      prompt_knowledge: [],
      prompt_categories: [],
      prompt_wildcards: [],
      prompt_icon: null,
      prompt_acl: {},
      prompt_version: 1,
      prompt_run_count: 0,
      prompt_active: true,
      prompt_metadata: {},
      prompt_created: clock.now(),
      prompt_updated: clock.now(),
      ...facts,
    });
  }

  /** What it is made of, as revisions keep it. */
  get settings(): JsonObject {
    return pick(this, SETTINGS);
  }

  /** Takes what is said of it; parameters and references were checked before, because others know them. */
  describe(facts: PromptFacts): void {
    Object.assign(this, Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)));
    this.prompt_wildcards = wildcardsOf(this.prompt_text);
  }

  /** What it was before is another version now. */
  amend(clock: Clock): void {
    this.prompt_version += 1;
    this.prompt_updated = clock.now();
  }
}

export const promptNameTaken = (): Problem =>
  alreadyExists('prompt_name', 'An active prompt of the same creator with this name already exists. Choose another name.');

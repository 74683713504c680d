/** What is configured by the form language: rows of `form`, and configurations inside the rows of their owners. */
export const FORM_KINDS = ['object', 'record', 'task', 'workflow', 'extension', 'content'] as const;
export type FormKind = (typeof FORM_KINDS)[number];

/** Flags of a field: true or false in its configuration. */
export const FIELD_FLAGS = ['required', 'read_only', 'hidden', 'unique', 'filterable', 'searchable', 'sensitive', 'localized'] as const;
export type FieldFlag = (typeof FIELD_FLAGS)[number];

/** What sets the configurations of one kind apart from the others. */
export interface KindRules {
  /** What people call the configurations, in the plural. */
  readonly name: string;
  /** Types of the language that they do not have. */
  readonly withheldTypes: ReadonlySet<string>;
  /** Flags that their fields cannot set. */
  readonly withheldFlags: ReadonlySet<FieldFlag>;
  /** Whether fields may have a value for each locale; to the other kinds the flag is unknown. */
  readonly isLocalized: boolean;
}

const PLAIN: KindRules = { name: 'forms', withheldTypes: new Set(), withheldFlags: new Set(), isLocalized: false };

/** Content is published: it belongs to no one row whose values could be unique or numbered, and names no members. */
const CONTENT: KindRules = {
  name: 'content schemas',
  withheldTypes: new Set(['auto_number', 'user', 'role', 'record']),
  withheldFlags: new Set(['unique']),
  isLocalized: true,
};

export const rulesOf = (kind: FormKind): KindRules => (kind === 'content' ? CONTENT : PLAIN);

import { Active, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import { alreadyExists, invalidFields, type Clock, type JsonObject, type Problem } from '@atrium/platform/kernel';
import { isKnownControl, propsFaults } from './control-props';
import { takenValue, type Control } from './control-value';
import { WILDCARD_NAME } from './prompt-text';

/** What a client says of a wildcard. */
export interface WildcardFacts {
  readonly wildcard_name?: string;
  readonly wildcard_description?: string | null;
  readonly wildcard_control_type?: string;
  readonly wildcard_control_props?: JsonObject;
  readonly wildcard_metadata?: JsonObject;
  readonly wildcard_active?: boolean;
}

const PROPS = 'wildcard_control_props';

/** A named question that prompts ask when they are run. Its control decides which values it takes and how they read in the text. */
@Resource({ table: 'wildcard', sort: '-wildcard_created' })
export class Wildcard extends TenantRow {
  @Id({ about: 'Id of the wildcard.' }) readonly wildcard_id!: string;
  @Text({
    min: 1,
    max: 64,
    form: { pattern: WILDCARD_NAME, words: 'a name of letters from a to z, digits, spaces, _ and - that begins with a letter' },
    about: 'Name of the wildcard, as used between braces in prompts; unique among active wildcards, in any case.',
    example: 'tone',
    filter: 'contains',
    sort: true,
  })
  wildcard_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Hint on what to enter.', example: 'How the text should sound.', filter: 'contains' })
  wildcard_description!: string | null;
  @Text({
    min: 1,
    max: 64,
    about:
      'Control type by which the value is entered: text, textarea, number, select, radio, multiselect, boolean, date, file, document, knowledge-base, album, user, color or url. Any other type accepts text.',
    example: 'select',
    filter: 'equals',
  })
  wildcard_control_type!: string;
  @Json({
    about:
      'Settings of the control. text, textarea: min, max, pattern (RE2), placeholder, default, required · number: min, max, step, default, required · select, radio: options [{value, label}], default, required · multiselect: options, min, max, default · boolean: true_text, false_text, default · date: min, max, default (or `today`), format (iso, long), required · file, document, knowledge-base, album, user: multiple, required, types (media types of files) · color, url: default, required · any other type: any settings, of which required and a text default are applied.',
    example: { options: [{ value: 'formal', label: 'formal and polite' }], required: true },
  })
  wildcard_control_props!: JsonObject;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: {} }) wildcard_metadata!: JsonObject;
  @Ref({ optional: true, about: 'Manager of the wildcard; null for the workspace.', filter: 'equals' }) wildcard_managed_by!: string | null;
  @Active('change', {
    about: 'Whether the wildcard is active; false if it was deleted. Prompts that use a deleted wildcard accept any text for it.',
  })
  wildcard_active!: boolean;
  @Stamp({ about: 'When the wildcard was created.', filter: 'range', sort: true }) wildcard_created!: Date;
  @Stamp({ about: 'When the wildcard was last changed.', filter: 'range', sort: true }) wildcard_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<Wildcard, 'wildcard_id'>, now: Date): Wildcard {
    return Object.assign(new Wildcard(), {
      wildcard_description: null,
      wildcard_control_props: {},
      wildcard_metadata: {},
      wildcard_managed_by: null,
      wildcard_active: true,
      wildcard_created: now,
      ...facts,
    });
  }

  get control(): Control {
    return { type: this.wildcard_control_type, props: this.wildcard_control_props };
  }

  /** Takes what is said of it; settings must fit the control, and the default must be a value that it takes. */
  describe(facts: WildcardFacts, clock: Clock): void {
    Object.assign(this, Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)));
    const faults = propsFaults(PROPS, this.wildcard_control_type, this.wildcard_control_props);
    if (faults.length === 0 && isKnownControl(this.wildcard_control_type) && this.wildcard_control_props.default !== undefined) {
      const usual = takenValue(this.control, undefined, clock.now().toISOString().slice(0, 10));
      if ('fault' in usual) faults.push({ path: `${PROPS}.default`, ...usual.fault });
    }
    if (faults.length > 0) throw invalidFields(faults);
    this.wildcard_updated = clock.now();
  }

  delete(clock: Clock): void {
    this.wildcard_active = false;
    this.wildcard_updated = clock.now();
  }
}

export const wildcardNameTaken = (): Problem =>
  alreadyExists('wildcard_name', 'An active wildcard with this name already exists. Choose another name.');

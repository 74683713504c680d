import type { JsonObject } from '@atrium/platform/kernel';
import type { Expression } from './expression';
import type { Field } from './field';
import type { Move } from './moves';

/** A condition on the whole content, and what it says where it does not hold. */
export interface FormRule {
  readonly when: Expression | null;
  readonly assert: Expression;
  readonly message: string;
  /** The top-level field that a fault names; null: the content. */
  readonly field: string | null;
  /** Its position in the configuration. */
  readonly declared: string;
}

/** What a checked configuration says. */
export interface FormParts {
  readonly config: JsonObject;
  readonly hash: string;
  readonly fields: readonly Field[];
  readonly title: Field | null;
  readonly closedTitle: Field | null;
  readonly summary: readonly Field[];
  readonly rules: readonly FormRule[];
}

/** A form that can judge, show and find content. It never changes, so that it is shared by all rows with the same configuration. */
export class CompiledForm {
  readonly config: JsonObject;
  readonly hash: string;
  readonly fields: readonly Field[];
  readonly title: Field | null;
  /** The title of a form from before titles had to be open: everybody reads names, so that it gives none. */
  readonly closedTitle: Field | null;
  readonly summary: readonly Field[];
  readonly rules: readonly FormRule[];
  /** Every field with a value, nested ones behind their parents. */
  readonly all: readonly Field[];
  private readonly byPath: ReadonlyMap<string, Field>;

  constructor(
    private readonly parts: FormParts,
    /** Changes of stored values that are still on their way: content is read as if they were done. */
    readonly moves: readonly Move[] = [],
  ) {
    ({ config: this.config, hash: this.hash, fields: this.fields, summary: this.summary, rules: this.rules } = parts);
    ({ title: this.title, closedTitle: this.closedTitle } = parts);
    this.all = flat(parts.fields).filter(({ type }) => type.holds !== 'none');
    this.byPath = new Map(this.all.map((field) => [field.path, field]));
  }

  /** The field of a dotted path such as `address.city`. */
  field(path: string): Field | undefined {
    return this.byPath.get(path);
  }

  withMoves(moves: readonly Move[]): CompiledForm {
    return moves.length === 0 ? this : new CompiledForm(this.parts, moves);
  }
}

const flat = (fields: readonly Field[]): Field[] => fields.flatMap((field) => [field, ...flat(field.fields)]);

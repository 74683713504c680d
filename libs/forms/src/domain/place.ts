import type { JsonValue } from '@atrium/platform/kernel';
import { pathOf, type Faults } from './faults';
import type { Field } from './field';
import type { ReferenceKind } from './field-type';

/** One reference of a value that is asked of whoever knows such things. */
export interface AskedReference {
  readonly kind: ReferenceKind;
  readonly id: string;
  readonly field: Field;
  readonly path: string;
}

/** What all values of one check share. */
export interface Checking {
  readonly faults: Faults;
  readonly now: Date;
  /** References that are not where they were stored before. */
  readonly references: AskedReference[];
  /** A source, an import or the service itself: it may write what is read only. */
  readonly trusted: boolean;
  readonly newRowId: () => string;
  /** Checks the parts of a group, or of one row of a list. */
  readonly parts: (value: { readonly [key: string]: JsonValue }, field: Field, place: Place) => JsonValue;
}

/** Where a value stands: its path for faults, and what was stored there before. */
export class Place {
  constructor(
    readonly checking: Checking,
    readonly path: string,
    readonly previous: JsonValue | undefined,
  ) {}

  /** Tells a fault; the message begins with the label of the field. */
  refuse(field: Pick<Field, 'label'>, code: string, message: string): undefined {
    this.checking.faults.add(this.path, code, `${field.label} ${message}`);
    return undefined;
  }

  below(step: string | number, previous: JsonValue | undefined): Place {
    return new Place(this.checking, pathOf(this.path, step), previous);
  }

  /** Has a reference asked after; one that is stored already is not asked again. */
  ask(kind: ReferenceKind, id: string, field: Field, stored: boolean): void {
    if (!stored) this.checking.references.push({ kind, id, field, path: this.path });
  }
}

import type { JsonValue } from '@atrium/platform/kernel';
import { Faults } from '@atrium/platform/settings';
import { Place, type Field } from './field';

/** A value as its type stores it, such as a phone number without spaces; what the type does not take comes back as it was. */
export function normalValue(field: Field, value: JsonValue, now: Date): JsonValue {
  const faults = new Faults();
  const place = new Place(
    { faults, now, references: [], trusted: true, newRowId: () => '', parts: (parts) => ({ ...parts }) },
    field.path,
    undefined,
  );
  const checked = field.type.check(value, field, place);
  return faults.any || checked === undefined ? value : checked;
}

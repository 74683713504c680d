import type { JsonObject } from '@atrium/platform/kernel';
import type { Field } from './field';

/** The fields of one level as a closed object of JSON Schema 2020-12. What a condition hides may be absent, so only what is always there is required. */
export function partsSchema(fields: readonly Field[], beside: JsonObject = {}): JsonObject {
  const valued = fields.filter(({ type }) => type.holds !== 'none');
  return {
    type: 'object',
    properties: {
      ...beside,
      ...Object.fromEntries(
        valued.map((field) => [
          field.key,
          { title: field.label, ...(field.help ? { description: field.help } : {}), ...field.type.schema(field) },
        ]),
      ),
    },
    required: valued.filter((field) => field.required && !field.show_if && !field.read_only).map(({ key }) => key),
    additionalProperties: false,
  };
}

/** The stored content of a form as JSON Schema 2020-12. */
export const contentSchema = (fields: readonly Field[]): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...partsSchema(fields),
});

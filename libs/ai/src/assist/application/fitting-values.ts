import type { JsonSchema } from '@atrium/models';
import { currentEffort, isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

/** Values without those that do not fit the schema, or the sentence that says why they do not fit together. */
export function fittingValues(schema: JsonSchema, values: JsonObject): JsonObject | string {
  const kept = structuredClone(values);
  // All of it is the work of one request.
  const effort = currentEffort();
  for (let misfit = schema.findMisfit(kept, effort); misfit !== null; misfit = schema.findMisfit(kept, effort)) {
    if (misfit.steps.length === 0) return misfit.fault;
    drop(kept, misfit.steps);
  }
  return kept;
}

function drop(from: JsonValue, [step = '', ...further]: readonly string[]): void {
  if (typeof from !== 'object' || from === null) return;
  const holder = from as Record<string, JsonValue>;
  if (further.length > 0) return drop(holder[step] ?? null, further);
  if (Array.isArray(from)) from.splice(Number(step), 1);
  else delete holder[step];
}

/** A schema of the same values in which none has to be there. */
export function withoutRequired(schema: JsonObject): JsonObject {
  const { required: _, properties, ...rest } = schema;
  if (!isObject(properties)) return rest;
  const relaxed = Object.entries(properties).map(([name, inner]) => [name, isObject(inner) ? withoutRequired(inner) : inner] as const);
  return { ...rest, properties: Object.fromEntries(relaxed) };
}

/** Paths of what the schema requires and the values do not have. */
export function missingFrom(schema: JsonObject, values: JsonObject, path = ''): string[] {
  const named: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const missing = named.filter((name): name is string => typeof name === 'string' && values[name] === undefined);
  const inner = Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(([name, about]) => {
    const value = values[name];
    return isObject(about) && isObject(value) ? missingFrom(about, value, `${path}${name}.`) : [];
  });
  return [...missing.map((name) => `${path}${name}`), ...inner];
}

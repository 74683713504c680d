import { invalidFields, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { z } from 'zod';
import { invalidAnswer } from './cms-http';

/** JSON whose size and nesting were measured where it came in. */
export const json = z.custom<JsonValue>((value) => value !== undefined);
export const jsonObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

/** An answer as the CMS documents it; one that is not is an answer of something else. */
export function checkedAnswer<T>(shape: z.ZodType<T>, value: JsonValue, name: string): T {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const [fault] = read.error.issues;
  throw invalidAnswer(name, `is not as documented: ${fault?.path.map(String).join('.') ?? ''} ${fault?.message ?? ''}`.trim());
}

/** Settings of a connection, with their defaults. */
export function checkedSettings<T>(shape: z.ZodType<T>, settings: JsonObject): T {
  const read = shape.safeParse(settings);
  if (read.success) return read.data;
  throw invalidFields(
    read.error.issues.flatMap((issue) => {
      const at = ['settings', ...issue.path.map(String)].join('.');
      if (issue.code === 'unrecognized_keys')
        return issue.keys.map((key) => ({ path: `${at}.${key}`, code: 'unknown_field', message: `There is no setting ${key}.` }));
      return [{ path: at, code: 'invalid', message: issue.message }];
    }),
  );
}

const SPECIAL = /["\\]/;
const SPECIALS = /["\\]/g;

/** The array of what `of` says of each item, as PostgreSQL reads it: for values that need no quotes. */
export function arrayOf<T>(items: readonly T[], of: (item: T) => string | number | boolean | null | undefined): string {
  let literal = '';
  for (const item of items) literal += `${literal === '' ? '{' : ','}${of(item) ?? 'NULL'}`;
  return literal === '' ? '{}' : `${literal}}`;
}

/** The same of texts, whatever stands in them. */
export function arrayOfTexts<T>(items: readonly T[], of: (item: T) => string | null | undefined): string {
  return arrayOf(items, (item) => {
    const text = of(item);
    return text === undefined || text === null ? undefined : `"${SPECIAL.test(text) ? text.replace(SPECIALS, '\\$&') : text}"`;
  });
}

/** What a wildcard may be called. */
export const WILDCARD_NAME = /^[a-zA-Z][a-zA-Z0-9_ -]{0,63}$/;

/** An escaped brace, or a name between braces; anything else between braces is text. */
const OPEN = /\\\{\{|\{\{[ \t]*([a-zA-Z][a-zA-Z0-9_ -]{0,63}?)[ \t]*\}\}/g;

/** What makes two spellings of a name the same. */
export const keyOf = (name: string): string => name.toLowerCase();

/** The names that a text leaves open, in order, each once as it is spelled first. */
export function wildcardsOf(text: string): string[] {
  const names = new Map<string, string>();
  for (const [, name] of text.matchAll(OPEN)) if (name !== undefined && !names.has(keyOf(name))) names.set(keyOf(name), name);
  return [...names.values()];
}

/** The text with a value in the place of each name. Values are put in once and never looked into again. */
export const filledText = (text: string, valueOf: (key: string) => string): string =>
  text.replace(OPEN, (found: string, name: string | undefined) => (name === undefined ? found.slice(1) : valueOf(keyOf(name))));

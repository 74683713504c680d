/** What a translation must not touch: placeholders, tags, addresses, code, and marks of Markdown. */
const KEPT =
  /\{\{[^{}]{1,200}\}\}|\$?\{[^{}\s]{0,100}\}|%(?:\d+\$)?[sdif@](?![\p{L}\d])|<\/?[a-z][a-z0-9-]*(?:\s[^<>]{0,1000})?\/?>|https?:\/\/[^\s<>"')\]]+|`[^`\n]{1,1000}`|\*\*|__|~~|^#{1,6}(?=\s)|^[ \t]*[-*+](?=\s)|^[ \t]*\d{1,3}[.)](?=\s)/gimu;

/** All of it, each as often as it occurs. */
const keptMarkup = (text: string): string[] => [...text.matchAll(KEPT)].map(([found]) => found.trim()).sort();

/** What a translation lost or made up; empty: nothing. */
export function changedMarkup(source: string, translation: string): string[] {
  const [before, after] = [counted(keptMarkup(source)), counted(keptMarkup(translation))];
  return [...new Set([...before.keys(), ...after.keys()])].filter((one) => before.get(one) !== after.get(one));
}

function counted(found: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

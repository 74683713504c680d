/** Links of one header that are looked at. */
const MOST_LINKS = 50;
const RELATION = /^\s*rel\s*=(.*)$/is;
const CANONICAL = /\bcanonical\b/i;

/** The address that a header `Link` names as canonical (RFC 8288); undefined where it names none. */
export function linkedCanonical(header: string | undefined, base: string): string | undefined {
  for (const link of (header ?? '').split('<').slice(1, MOST_LINKS + 1)) {
    const end = link.indexOf('>');
    const target = link.slice(0, Math.max(0, end));
    const relations = link
      .slice(end + 1)
      .split(/[;,]/)
      .map((parameter) => RELATION.exec(parameter)?.[1] ?? '');
    if (end >= 0 && relations.some((names) => CANONICAL.test(names)) && URL.canParse(target, base)) return new URL(target, base).href;
  }
  return undefined;
}

import type { FieldFault } from '@atrium/platform/kernel';
import { compileRule, ruleValue, type CompiledRule, type RuleKind } from './rules';

const PREFIXES: Readonly<Record<string, RuleKind>> = { 'host:': 'host', 'ip:': 'ip' };

const entryKind = (entry: string): { readonly kind: RuleKind; readonly prefix: string; readonly rest: string } => {
  const prefix = Object.keys(PREFIXES).find((known) => entry.toLowerCase().startsWith(known)) ?? '';
  return { kind: PREFIXES[prefix] ?? 'territory', prefix, rest: entry.slice(prefix.length) };
};

/** What a publication itself denies, as it is stored: `FR`, `EU`, `host:example.com`, `ip:203.0.113.0/24`; each entry that is none of these is a fault. */
export function readDenyList(entries: readonly string[], path: string): { readonly values: string[]; readonly faults: FieldFault[] } {
  const faults: FieldFault[] = [];
  const values = entries.flatMap((entry, at) => {
    const { kind, prefix, rest } = entryKind(entry.trim());
    const read =
      kind === 'host' && /^(?:\*|none$)/i.test(rest.trim()) ? { fault: 'is not a host such as host:example.com' } : ruleValue(kind, rest);
    if ('value' in read) return [`${prefix}${read.value}`];
    faults.push({ path: `${path}[${at}]`, code: kind, message: read.fault });
    return [];
  });
  return { values: [...new Set(values)], faults };
}

/** The deny list as rules: at most one of each kind. A host includes its subdomains. */
export function compileDenyList(entries: readonly string[]): CompiledRule[] {
  const byKind = new Map<RuleKind, string[]>();
  for (const entry of entries) {
    const { kind, rest } = entryKind(entry);
    byKind.set(kind, [...(byKind.get(kind) ?? []), ...(kind === 'host' ? [rest, `*.${rest}`] : [rest])]);
  }
  return [...byKind].map(([kind, values]) =>
    compileRule({ source: 'deny', id: null, name: 'deny list' }, { kind, effect: 'deny', values }),
  );
}

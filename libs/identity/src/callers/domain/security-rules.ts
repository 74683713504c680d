import { invalidFields, type FieldFault } from '@atrium/platform/kernel';
import { normalRange } from '../../shared/domain/address-ranges';
import { asciiDomain } from '../../shared/domain/email';

/** How people and keys get into a workspace. */
export type SecurityRules = {
  /** Sessions need a second factor. */
  readonly require_mfa: boolean;
  /** Sessions may be made by password. */
  readonly password_login: boolean;
  /** Who may be invited; empty: anybody. */
  readonly allowed_email_domains: readonly string[];
  /** Where callers may come from; empty: anywhere. */
  readonly ip_allow: readonly string[];
  readonly session_idle_minutes: number;
  readonly session_max_days: number;
  /** Longest life of a key; null: none. */
  readonly key_max_days: number | null;
  /** Members may make keys of their own. */
  readonly personal_keys: boolean;
};

/** Rules as somebody changes them: absent stays, null goes back to the default. */
export type SecurityChanges = { readonly [K in keyof SecurityRules]?: SecurityRules[K] | null | undefined };

export const DEFAULT_RULES: SecurityRules = {
  require_mfa: false,
  password_login: true,
  allowed_email_domains: [],
  ip_allow: [],
  session_idle_minutes: 1_440,
  session_max_days: 30,
  key_max_days: null,
  personal_keys: true,
};

const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** A domain of addresses as it is compared: lower case, in ASCII; null when it is none. */
export function normalDomain(text: string): string | null {
  const plain = asciiDomain(text.trim().toLowerCase().replace(/^@/, ''));
  return DOMAIN.test(plain) ? plain : null;
}

/** The rules after a change, ranges and domains in their normal form; every one that is none is named. */
export function changedRules(present: Partial<SecurityRules>, changes: SecurityChanges): SecurityRules {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  const wanted = Object.fromEntries(named.map(([name, value]) => [name, value ?? DEFAULT_RULES[name as keyof SecurityRules]]));
  const rules = { ...DEFAULT_RULES, ...present, ...wanted };
  const faults: FieldFault[] = [];
  const ip_allow = normalList(rules.ip_allow, normalRange, (at) =>
    faults.push({ path: `ws_security.ip_allow[${at}]`, code: 'cidr', message: 'must be an address range such as 203.0.113.0/24' }),
  );
  const allowed_email_domains = normalList(rules.allowed_email_domains, normalDomain, (at) =>
    faults.push({ path: `ws_security.allowed_email_domains[${at}]`, code: 'domain', message: 'must be a domain such as example.com' }),
  );
  if (faults.length > 0) throw invalidFields(faults);
  return { ...rules, ip_allow, allowed_email_domains };
}

function normalList(texts: readonly string[], normal: (text: string) => string | null, fault: (at: number) => void): string[] {
  const kept = texts.flatMap((text, at) => {
    const one = normal(text);
    if (one === null) fault(at);
    return one ?? [];
  });
  return [...new Set(kept)];
}

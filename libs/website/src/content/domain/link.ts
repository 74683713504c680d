import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { ownField } from './content-form';
import { isAnchor, isEmail, isSafeUrl } from './safe-url';
import { checkKeys, checkReference, checkTextAt, filledOnly, type Steps, type ValueCheck } from './value-check';

export const LINK_KINDS = ['page', 'file', 'url', 'email', 'anchor'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];
const KEYS = ['kind', 'ref', 'url', 'anchor', 'target', 'title'] as const;
const TARGETS: readonly string[] = ['_self', '_blank'];
/** What a link of a kind must have, and what else it may have beside target and title. */
const PARTS: Readonly<Record<LinkKind, { readonly needs: string; readonly takes: readonly string[] }>> = {
  page: { needs: 'ref', takes: ['anchor'] },
  file: { needs: 'ref', takes: [] },
  url: { needs: 'url', takes: ['anchor'] },
  email: { needs: 'url', takes: [] },
  anchor: { needs: 'anchor', takes: [] },
};

const isLinkKind = (value: unknown): value is LinkKind => LINK_KINDS.some((kind) => kind === value);

/** A link in the form in which it is stored: by its kind it names a page, a file, an address of the web or of mail, or a place of its page. */
export function checkLink(
  value: JsonValue,
  check: ValueCheck,
  { kinds = LINK_KINDS, steps = [] }: { readonly kinds?: readonly string[]; readonly steps?: Steps } = {},
): JsonObject | undefined {
  const link = checkKeys(value, KEYS, check, steps);
  if (!link) return undefined;
  const kind = ownField(link, 'kind');
  if (!isLinkKind(kind) || !kinds.includes(kind))
    return check.refuse([...steps, 'kind'], 'option', `must be a link of one of the kinds ${kinds.join(', ')}.`);
  const { needs, takes } = PARTS[kind];
  const strange = ['ref', 'url', 'anchor'].find((key) => key !== needs && !takes.includes(key) && (ownField(link, key) ?? null) !== null);
  if (strange !== undefined)
    return check.refuse([...steps, strange], 'unknown_field', `cannot have ${strange} in a link of the kind ${kind}.`);
  const target = checkTarget(link, check, steps);
  const title = checkTextAt(link, 'title', { longest: 255, check, steps });
  const anchor = checkAnchor(link, check, steps);
  const named = needs === 'anchor' ? anchor : checkDestination(link, kind, check, steps);
  if (needs === 'anchor' && anchor === null) return check.refuse([...steps, 'anchor'], 'required', 'must have an anchor.');
  if ([target, title, anchor, named].includes(undefined)) return undefined;
  return filledOnly({ kind, ...(needs === 'anchor' ? {} : { [needs]: named }), anchor, target, title });
}

function checkDestination(link: JsonObject, kind: LinkKind, check: ValueCheck, steps: Steps): string | undefined {
  if (kind === 'page' || kind === 'file') {
    const ref = ownField(link, 'ref') ?? null;
    return ref === null
      ? check.refuse([...steps, 'ref'], 'required', `must name a ${kind}.`)
      : checkReference(ref, kind, check, [...steps, 'ref']);
  }
  const url = checkTextAt(link, 'url', { longest: 2_048, check, steps });
  if (url === undefined) return undefined;
  if (url === null) return check.refuse([...steps, 'url'], 'required', 'must have an address.');
  const at = [...steps, 'url'];
  if (kind === 'email') return isEmail(url) ? url : check.refuse(at, 'format', 'must have an e-mail address.');
  return isSafeUrl(url) ? url : check.refuse(at, 'format', 'must have an address that starts with https:// or http://.');
}

function checkTarget(link: JsonObject, check: ValueCheck, steps: Steps): string | null | undefined {
  const target = ownField(link, 'target') ?? null;
  if (target === null || target === '') return null;
  return typeof target === 'string' && TARGETS.includes(target)
    ? target
    : check.refuse([...steps, 'target'], 'option', 'must open in _self or _blank.');
}

function checkAnchor(link: JsonObject, check: ValueCheck, steps: Steps): string | null | undefined {
  const anchor = checkTextAt(link, 'anchor', { longest: 120, check, steps });
  if (typeof anchor !== 'string') return anchor;
  return isAnchor(anchor) ? anchor : check.refuse([...steps, 'anchor'], 'format', 'must have an anchor of letters, digits and . : _ -');
}

/** What a stored link points to, among pages and files. */
export function linkReference(value: JsonValue | undefined): { readonly kind: 'page' | 'file'; readonly id: string } | null {
  if (!isObject(value)) return null;
  const [kind, id] = [ownField(value, 'kind'), ownField(value, 'ref')];
  return (kind === 'page' || kind === 'file') && typeof id === 'string' ? { kind, id } : null;
}

/** The words of a link for people: its title, else where it leads. */
export const linkText = (value: JsonValue): string =>
  isObject(value)
    ? (['title', 'url', 'anchor']
        .map((key) => ownField(value, key))
        .find((part): part is string => typeof part === 'string' && part !== '') ?? '')
    : '';

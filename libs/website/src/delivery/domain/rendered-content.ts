import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { docHtml } from '../../content/domain/doc-html';
import type { ContentPlace } from '../../publishing/domain/live-page';

/** A page that content leads to. */
export interface LinkedPage {
  readonly path: string;
  readonly name: string;
}

/** A file that content shows. */
export interface ShownAsset {
  readonly url: string;
  readonly name: string;
  readonly type: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** What the references of a page lead to: those that are missing lead nowhere. */
export interface Resolved {
  readonly pages: ReadonlyMap<string, LinkedPage>;
  readonly files: ReadonlyMap<string, ShownAsset>;
  /** Whether documents are delivered as HTML. */
  readonly html: boolean;
}

type Steps = readonly (string | number)[];

/** The steps of a path: `body[2].button.ref`. */
export const stepsOf = (path: string): Steps =>
  [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, key, at]) => (at === undefined ? (key ?? '') : Number(at)));

/** Fills addresses into frozen content, in place: the content is a copy that nobody else has. */
export function fillContent(content: JsonObject, places: readonly ContentPlace[], resolved: Resolved): JsonObject {
  for (const place of places) if (place.kind !== 'doc') fillPlace(content, place, resolved);
  if (resolved.html)
    // The outermost documents first: what is within them goes with them.
    for (const { path } of places.filter(({ kind }) => kind === 'doc').sort((a, b) => a.path.length - b.path.length))
      replaceAt(content, stepsOf(path), (value) => (isObject(value) && value.type === 'doc' ? docHtml(value) : value));
  return content;
}

function fillPlace(content: JsonObject, { kind, path, ref }: ContentPlace, { pages, files }: Resolved): void {
  const steps = stepsOf(path);
  const isInside = steps.at(-1) === (kind === 'page' ? 'ref' : 'file');
  const filled = kind === 'page' ? pageFields(ref, pages) : fileFields(ref, files);
  if (isInside) replaceAt(content, steps.slice(0, -1), (value) => (isObject(value) ? { ...value, ...filled.beside } : value));
  else replaceAt(content, steps, () => filled.alone);
}

interface Filled {
  /** Beside the reference in the object that has it. */
  readonly beside: JsonObject;
  /** In the place of a reference that is the whole value. */
  readonly alone: JsonObject;
}

function pageFields(ref: string, pages: ReadonlyMap<string, LinkedPage>): Filled {
  const page = pages.get(ref);
  return { beside: { url: page?.path ?? null }, alone: { node_id: ref, url: page?.path ?? null, name: page?.name ?? null } };
}

function fileFields(ref: string, files: ReadonlyMap<string, ShownAsset>): Filled {
  const file = files.get(ref);
  const shown = file ? { ...file } : { url: null, name: null, type: null, width: null, height: null };
  return { beside: shown, alone: { file: ref, ...shown } };
}

/** Replaces what is at the end of the steps; nothing where they lead nowhere. */
function replaceAt(root: JsonObject, steps: Steps, change: (value: JsonValue) => JsonValue): void {
  const last = steps.at(-1);
  if (last === undefined) return;
  let at: unknown = root;
  for (const step of steps.slice(0, -1)) at = childAt(at, step);
  if (childAt(at, last) === undefined) return;
  const holder = at as Record<string | number, JsonValue>;
  holder[last] = change(childAt(at, last) as JsonValue);
}

const childAt = (value: unknown, step: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined;

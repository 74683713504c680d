import { createHash } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { z } from 'zod';
import type { RemoteState } from '../../domain/cms-port';
import { CmsProblem } from '../../domain/cms-problem';
import { jsonObject } from '../checked-answer';

const id = z.string().min(1).max(64);
const version = z.number().int().nonnegative();
const link = z.looseObject({ sys: z.looseObject({ id }) });

/** Versions, times and states of an entry, an asset or a content type. */
const SYS = z.looseObject({
  id,
  version,
  createdAt: z.string().max(40),
  updatedAt: z.string().max(40).optional(),
  publishedVersion: version.nullish(),
  archivedVersion: version.nullish(),
  contentType: link.nullish(),
  fieldStatus: z.record(z.string(), z.record(z.string(), z.string())).nullish(),
});
export type Sys = z.infer<typeof SYS>;

export const ROW = z.looseObject({ sys: SYS, fields: z.record(z.string(), jsonObject).default({}) });
export type Row = z.infer<typeof ROW>;
export const ROWS = z.looseObject({ items: z.array(ROW).max(1_000), total: z.number().int().nonnegative() });
export const SPACE = z.looseObject({ sys: z.looseObject({ id }), name: z.string() });
export const ENVIRONMENT = z.looseObject({ sys: z.looseObject({ id }) });
export const LOCALES = z.looseObject({
  items: z.array(z.looseObject({ code: z.string().min(1).max(40), name: z.string(), default: z.boolean() })).max(1_000),
});
export const TYPE = z.looseObject({
  sys: z.looseObject({ id, version, publishedVersion: version.nullish() }),
  name: z.string(),
  fields: z.array(jsonObject).max(1_000),
});
export type TypeRow = z.infer<typeof TYPE>;
export const TYPES = z.looseObject({ items: z.array(TYPE).max(1_000), total: z.number().int().nonnegative() });
export const EDITORS = z.looseObject({
  items: z
    .array(
      z.looseObject({
        sys: z.looseObject({ contentType: link }),
        controls: z.array(z.looseObject({ fieldId: z.string(), widgetId: z.string().nullish() })).nullish(),
      }),
    )
    .max(1_000),
});
export const EDITOR = z.looseObject({ sys: z.looseObject({ version }), controls: z.array(jsonObject).nullish() });
export const UPLOAD = z.looseObject({ sys: z.looseObject({ id: z.string().min(1).max(200) }) });
export const WEBHOOK = z.looseObject({
  sys: z.looseObject({ id, version: version.optional() }),
  url: z.string(),
  topics: z.array(z.string()),
});
export type Webhook = z.infer<typeof WEBHOOK>;
export const EVENT = z.looseObject({
  sys: z.looseObject({ id, type: z.string(), environment: link.nullish(), contentType: link.nullish() }),
});

/** A checked row, as it came. */
export const rawOf = (row: object): JsonObject => {
  const raw: unknown = row;
  return isObject(raw) ? raw : {};
};

/** By locale where the environment publishes by locale, else under `*`. */
export function statesOf({ version: now, publishedVersion, fieldStatus }: Sys): Readonly<Record<string, RemoteState>> {
  const byLocale = fieldStatus?.['*'];
  if (byLocale)
    return Object.fromEntries(
      Object.entries(byLocale).map(([locale, state]) => [locale, state === 'published' || state === 'changed' ? state : 'draft']),
    );
  if (publishedVersion === undefined || publishedVersion === null) return { '*': 'draft' };
  // Publishing raises the version once.
  return { '*': now > publishedVersion + 1 ? 'changed' : 'published' };
}

/** Changes whenever the page or one of its blocks does. */
export function versionOf(page: Row, blocks: readonly Row[]): string {
  if (blocks.length === 0) return String(page.sys.version);
  const all = blocks.map(({ sys }) => `${sys.id}:${sys.version}`).toSorted();
  return `${page.sys.version}.${createHash('sha256').update(all.join(',')).digest('hex').slice(0, 16)}`;
}

export const RESPONSE_TOO_BIG = 'Response size too big';
const LONGEST_REASON = 300;

/** What Contentful says by a status and the id of its error. */
export function contentfulRefusal(status: number, body: JsonValue): CmsProblem {
  const error = isObject(body) ? body : {};
  const kind = isObject(error['sys']) && typeof error['sys']['id'] === 'string' ? error['sys']['id'] : '';
  const message = typeof error['message'] === 'string' ? error['message'] : '';
  if (status === 401) return new CmsProblem('unauthorized', 'Contentful rejects the token. Connect the site with a valid one.');
  if (status === 403) return new CmsProblem('missing_scope', 'The token of Contentful does not allow the request.');
  if (status === 404) return new CmsProblem('not_found', 'Contentful does not have it, or the token may not see it.');
  if (status === 409) return new CmsProblem('conflict_version', 'It was changed at Contentful since it was compared. Compare it again.');
  if (status === 413) return new CmsProblem('too_large', 'The entry is larger than Contentful accepts.');
  if (status === 400 && message.includes(RESPONSE_TOO_BIG)) return new CmsProblem('too_large', message.slice(0, LONGEST_REASON));
  if (status >= 400 && status < 500)
    return new CmsProblem(
      'refused_content',
      `Contentful refused it: ${kind} ${reasonIn(error) || message}`.slice(0, LONGEST_REASON).trim(),
      {
        field: fieldIn(error),
      },
    );
  return new CmsProblem('upstream_invalid', `Contentful returned the status ${status}.`);
}

function firstError(error: JsonObject): JsonObject {
  const details = isObject(error['details']) ? error['details'] : {};
  const [first] = Array.isArray(details['errors']) ? (details['errors'] as readonly JsonValue[]) : [];
  return isObject(first) ? first : {};
}

function fieldIn(error: JsonObject): string | undefined {
  const { path } = firstError(error);
  return Array.isArray(path) ? path.filter((part) => typeof part === 'string').join('.') : undefined;
}

function reasonIn(error: JsonObject): string {
  const { name, details } = firstError(error);
  return [name, details].filter((part) => typeof part === 'string').join(': ');
}

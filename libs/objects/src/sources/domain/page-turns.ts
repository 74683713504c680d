import { Problem, isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { JsonSourceConfig } from './source-config';

/** A request for one page. */
export interface PageRequest {
  readonly url: string;
  readonly body: string | null;
}

/** An answer, as far as the next page depends on it. */
export interface PageAnswer {
  readonly url: string;
  /** What it says at the path of the cursor. */
  readonly next: JsonValue | undefined;
  readonly rows: number;
  /** Rows of this pass up to here, if the source has said how many there are. */
  readonly total: number | null;
  readonly link: string | undefined;
}

type Cursor = JsonObject;
type PageConfig = Pick<JsonSourceConfig, 'url' | 'body' | 'pagination'>;

const LONGEST_CURSOR = 4_096;
/** As much as HTTP clients take of one header. */
const LONGEST_HEADER = 16_384;

/** Turns the pages of a source: what to ask for at a cursor, and which cursor comes behind an answer. */
export class PageTurns {
  constructor(private readonly config: PageConfig) {}

  get first(): Cursor {
    const { pagination } = this.config;
    if (pagination.style === 'page') return { page: pagination.first, rows: 0 };
    return pagination.style === 'offset' ? { offset: 0 } : {};
  }

  requestOf(cursor: Cursor): PageRequest {
    const { pagination, url, body } = this.config;
    const next = cursor['url'];
    if (typeof next === 'string') return this.withParameters({}, { url: next, body });
    if (pagination.style === 'none' || pagination.style === 'link') return this.withParameters({}, { url, body });
    const size = pagination.size ? { [pagination.size.param]: pagination.size.size } : {};
    if (pagination.style === 'page') return this.withParameters({ [pagination.param]: cursor['page'] ?? pagination.first, ...size });
    if (pagination.style === 'offset') return this.withParameters({ [pagination.param]: cursor['offset'] ?? 0, ...size });
    const at = cursor['cursor'];
    return this.withParameters({ ...(pagination.param !== null && at !== undefined ? { [pagination.param]: at } : {}), ...size });
  }

  /** The cursor behind an answer; null where it was the last page. An empty page is the last one, a short one is not: servers cut pages. */
  nextCursor(cursor: Cursor, answer: PageAnswer): Cursor | null {
    const { pagination } = this.config;
    if (pagination.style === 'none') return null;
    if (pagination.style === 'link') return this.linked(nextLink(answer.link), answer);
    if (pagination.style === 'cursor') return this.pointed(answer.next, answer, pagination.param);
    const read = Number((pagination.style === 'page' ? cursor['rows'] : cursor['offset']) ?? 0) + answer.rows;
    if (answer.rows === 0 || (answer.total !== null && read >= answer.total)) return null;
    return pagination.style === 'page' ? { page: Number(cursor['page'] ?? pagination.first) + 1, rows: read } : { offset: read };
  }

  private pointed(value: JsonValue | undefined, answer: PageAnswer, param: string | null): Cursor | null {
    if (value === undefined || value === null || value === '' || value === false) return null;
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Problem('unprocessable_content', 'The cursor returned by the source is neither a string nor a number.');
    if (String(value).length > LONGEST_CURSOR) throw new Problem('unprocessable_content', 'The cursor returned by the source is too long.');
    return param === null ? this.linked(String(value), answer) : { cursor: value };
  }

  /** Pages of another host are not asked for: the credentials are meant for this one. */
  private linked(link: string | undefined, { url }: PageAnswer): Cursor | null {
    if (link === undefined) return null;
    if (!URL.canParse(link, url)) throw new Problem('unprocessable_content', 'The URL of the next page is not valid.');
    const next = new URL(link, url);
    if (next.origin !== new URL(this.config.url).origin)
      throw new Problem('unprocessable_content', 'The next page is on another host, and requests to other hosts are not allowed.');
    if (next.href.length > LONGEST_CURSOR) throw new Problem('unprocessable_content', 'The URL of the next page is too long.');
    return { url: next.href };
  }

  private withParameters(
    parameters: Readonly<Record<string, JsonValue>>,
    { url, body }: { readonly url: string; readonly body: JsonValue | undefined } = this.config,
  ): PageRequest {
    const { pagination } = this.config;
    if ('in' in pagination && pagination.in === 'body')
      return { url, body: JSON.stringify({ ...(isObject(body) ? body : {}), ...parameters }) };
    const address = new URL(url);
    for (const [name, value] of Object.entries(parameters))
      address.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    return { url: address.href, body: body === undefined ? null : JSON.stringify(body) };
  }
}

/** The target of `rel="next"` in a Link header (RFC 8288); an address has no `<` in it. */
export function nextLink(header: string | undefined): string | undefined {
  for (const [, target = '', parameters = ''] of (header ?? '')
    .slice(0, LONGEST_HEADER)
    .matchAll(/<([^<>]*)>((?:\s*;\s*[\w*!#$&+.^`|~-]+(?:\s*=\s*(?:"[^"]*"|[^\s",;]+))?)*)/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i.exec(parameters) ?? [];
    if ((quoted ?? bare ?? '').toLowerCase().split(/\s+/).includes('next')) return target;
  }
  return undefined;
}

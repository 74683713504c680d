import type { JsonValue } from '@atrium/platform/kernel';
import type { AccessLogRow } from '../domain/access-log-row';
import { searchedText } from '../domain/searched-text';

const SPECIAL = /["\\]/;
const SECOND_PREFIX = 'YYYY-MM-DDTHH:MM:SS.'.length;
/** Texts whose quoted form is kept, and how long they may be: routes, permissions, addresses and the like recur in almost every row. */
const MAX_KEPT = 2_000;
const MAX_KEPT_LENGTH = 300;

/** Writes rows of the access log as they are sent, each as an element of an array of `access_log_line`; what recurs from row to row is quoted once. */
export class AccessLogLines {
  private readonly kept = new Map<string, string>();
  private second = Number.NaN;
  private secondText = '';

  /** Ids, numbers and flags need no quotes; everything else does. */
  of(row: AccessLogRow): string {
    const [params, query, body] = [json(row.log_params), json(row.log_query), json(row.log_body)];
    const searched = searchedText(row.log_url, [query, params, body]);
    const text = query === undefined && body === undefined ? this.recurring(searched?.text) : quoted(searched?.text);
    const fields = [
      row.tenant_id, row.log_id, this.timestamp(row.log_timestamp), row.log_user, row.log_key, undefined, row.log_session,
      row.log_principal, this.recurring(row.log_method), quoted(row.log_url), this.recurring(row.log_route), this.recurring(row.log_operation),
      quoted(params), quoted(query), quoted(body), row.log_status, this.recurring(row.log_code), row.log_duration_ms, row.log_bytes_in, row.log_bytes_out,
      this.recurring(row.log_ip), this.recurring(row.log_user_agent), quoted(row.log_request_id), quoted(row.log_trace_id), quoted(row.log_idempotency_key),
      row.log_replayed, this.recurring(row.log_permission), row.log_sampled, text, searched?.ids && quoted(`{${searched.ids.join(',')}}`),
    ];
    return `"(${fields.join(',')})"`;
  }

  /** The quoted form of a text that other rows have as well, mostly. */
  private recurring(text: string | undefined): string | undefined {
    if (text === undefined || text.length > MAX_KEPT_LENGTH) return quoted(text);
    const known = this.kept.get(text);
    if (known !== undefined) return known;
    if (this.kept.size === MAX_KEPT) this.kept.clear();
    const made = quoted(text);
    if (made !== undefined) this.kept.set(text, made);
    return made;
  }

  /** Rows that waited in Redis come with what JSON makes of a moment. Requests of the same second share most of it. */
  private timestamp(moment: Date | string): string {
    if (typeof moment === 'string') return moment;
    const at = moment.getTime();
    const second = Math.floor(at / 1_000);
    if (second !== this.second) {
      this.second = second;
      this.secondText = moment.toISOString().slice(0, SECOND_PREFIX);
    }
    return `${this.secondText}${String(at - second * 1_000).padStart(3, '0')}Z`;
  }
}

const json = (value: JsonValue | undefined): string | undefined => (value === undefined ? undefined : JSON.stringify(value));

/** A text as a field of a row within an array: quoted for both. Nothing at all is null. */
function quoted(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return SPECIAL.test(text) ? `\\"${text.replaceAll('\\', '\\\\\\\\').replaceAll('"', '\\"\\"')}\\"` : `\\"${text}\\"`;
}

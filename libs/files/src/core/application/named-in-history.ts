import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { isId, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { LISTED_REPO_TYPES } from '../domain/repositories';
import type { HistoryLine } from '../domain/history-line';
import { ReadableFileRows } from '../infrastructure/readable-files.rows';
import { ReadableFiles } from './readable-files';

/** Of rows that history names by their ids, those that a caller may read. Within a unit of work. */
export type ReadableRows = (caller: Principal, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Facts of a line in which files of any repository are named by their ids. */
const FILES = ['document_id', 'files', 'to', 'from'];

/**
 * What history says of other rows than the file itself: only readers of those rows hear of them. A context whose rows are named in
 * history registers under the key of the fact that holds their ids.
 */
@Injectable()
export class NamedInHistory {
  private readonly readable = new Map<string, ReadableRows>();

  constructor(
    private readonly rows: ReadableFileRows,
    private readonly files: ReadableFiles,
  ) {
    for (const key of FILES) this.readable.set(key, (caller, ids) => this.readableFiles(caller, ids));
  }

  register(key: string, readable: ReadableRows): void {
    if (this.readable.has(key)) throw new Error(`Rows under ${key} are registered for history twice.`);
    this.readable.set(key, readable);
  }

  /** The lines, to nobody those that name no other row; facts of one that names what the caller may not read are left out altogether, because names stand beside ids. */
  async filterLines<L extends Pick<HistoryLine, 'fh_details'>>(caller: Principal | null, lines: readonly L[]): Promise<L[]> {
    const hidden = new Map<string, ReadonlySet<string>>();
    for (const [key, readable] of this.readable) {
      const ids = [...new Set(lines.flatMap(({ fh_details }) => idsIn(fh_details[key])))];
      if (ids.length === 0) continue;
      const open = caller ? await readable(caller, ids) : new Set<string>();
      hidden.set(key, new Set(ids.filter((id) => !open.has(id))));
    }
    const isClosed = (details: JsonObject): boolean => [...hidden].some(([key, ids]) => idsIn(details[key]).some((id) => ids.has(id)));
    return lines.map((line) => (isClosed(line.fh_details) ? { ...line, fh_details: {} } : line));
  }

  /** A file that was purged is open to nobody: who could read it is not known any more. */
  private readableFiles(caller: Principal, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.rows.filterReadable(ids, this.files.readableCondition(caller, LISTED_REPO_TYPES));
  }
}

const idsIn = (fact: JsonValue | undefined): readonly string[] =>
  (Array.isArray(fact) ? fact : [fact]).filter((value): value is string => typeof value === 'string' && isId(value));

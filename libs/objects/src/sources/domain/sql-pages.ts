import { Problem, type JsonObject } from '@atrium/platform/kernel';
import { createHash } from 'node:crypto';
import { sourceRow } from './source-row';
import type { SourcePage } from './source-port';
import type { SqlSourceConfig } from './sql-config';
import { isLeftOut, isOfItsOwn, sqlValue } from './sql-values';

/** What is asked of a database. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly string[];
}

/** What a database answers: values as it writes them. */
export interface SqlAnswer {
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

const LONGEST_KEY = 4_096;
const MOST_COLUMNS = 500;

/**
 * Follows the rows of a database by a key: each page begins behind the key of the last row, so that a row which is there during the
 * whole pass is met once, whatever others write in the meantime. One row more than a page shows whether there is a next one.
 */
export class SqlPages {
  /** Characters in front of the query of the customer, in every statement. */
  readonly queryAt: number;
  private readonly from: string;
  private readonly key: string;
  /** Of what a place belongs to: it means nothing among other rows. */
  private readonly digest: string;

  constructor(private readonly config: SqlSourceConfig) {
    const { rows, key, host, port, database } = config;
    // The line break ends a comment at the end of the query.
    this.from = rows.table ? `${rows.table.map(quoted).join('.')} AS q` : `(${rows.query}\n) AS q`;
    this.key = quoted(key);
    this.queryAt = [...PREFIX(this.key)].length + (rows.table ? 0 : 1);
    this.digest = createHash('sha256')
      .update(JSON.stringify([host, port, database, rows, key]))
      .digest('base64url');
  }

  /** The key behind which a page begins; null: the first page. */
  placeOf(cursor: JsonObject | null): string | null {
    const after = cursor?.['after'];
    return typeof after === 'string' && cursor?.['of'] === this.digest ? after : null;
  }

  /** A row without a key, which no page would have. */
  get keyless(): SqlStatement {
    return { text: `${PREFIX(this.key)}${this.from} WHERE q.${this.key} IS NULL LIMIT 1) AS p`, values: [] };
  }

  /** The last column says of a row that its key is that of the row before, by the very rule that pages follow. */
  pageStatement(after: string | null): SqlStatement {
    const behind = after === null ? '' : ` WHERE q.${this.key} > $1`;
    return {
      text: `${PREFIX(this.key)}${this.from}${behind} ORDER BY q.${this.key} LIMIT ${this.config.pageSize + 1}) AS p ORDER BY p.${this.key}`,
      values: after === null ? [] : [after],
    };
  }

  /** Types of columns that the database has made itself. */
  ownTypes({ columns }: SqlAnswer): readonly number[] {
    return [...new Set(columns.map(({ type }) => type).filter(isOfItsOwn))];
  }

  readPage({ columns, rows }: SqlAnswer, after: string | null, own: ReadonlyMap<number, number>): SourcePage {
    const shown = columns.slice(0, -1);
    const keyAt = this.checked(shown);
    for (const row of rows) {
      if (row[keyAt] === null || row[keyAt] === undefined) throw this.withoutKey();
      if (row.at(-1) === 't') throw this.keyTwice();
    }
    const page = rows.slice(0, this.config.pageSize);
    const last = rows.length > page.length ? page.at(-1)?.[keyAt] : undefined;
    if (typeof last === 'string' && last.length > LONGEST_KEY)
      throw wrong(`The column ${this.config.key} has values of more than ${LONGEST_KEY} characters. Choose another key in osr_config.key.`);
    const taken = shown.map(({ name, type }, at) => ({ name, type, at })).filter(({ type }) => !isLeftOut(type));
    return {
      cursor: this.cursorAt(after),
      rows: page.map((row) =>
        sourceRow(Object.fromEntries(taken.map(({ name, type, at }) => [name, sqlValue(row[at] ?? null, type, own)]))),
      ),
      next: typeof last === 'string' ? this.cursorAt(last) : null,
      total: null,
    };
  }

  withoutKey(): Problem {
    return wrong(
      `In some rows, the column ${this.config.key} is null. Choose a key in osr_config.key that every row has, or exclude those rows.`,
    );
  }

  private keyTwice(): Problem {
    return wrong(`Several rows have the same value in the column ${this.config.key}. Choose a unique key in osr_config.key.`);
  }

  private cursorAt(after: string | null): JsonObject {
    return after === null ? {} : { after, of: this.digest };
  }

  private checked(columns: SqlAnswer['columns']): number {
    if (columns.length > MOST_COLUMNS)
      throw wrong(`There are more than ${MOST_COLUMNS} columns. Select the columns that you need in osr_config.query.`);
    const names = columns.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw wrong(`The query returns two columns named ${twice}. Give each its own name with AS.`);
    const keyAt = names.indexOf(this.config.key);
    if (keyAt < 0) throw wrong(`There is no column ${this.config.key}. Check osr_config.key.`);
    return keyAt;
  }
}

const PREFIX = (key: string): string => `SELECT p.*, p.${key} = lag(p.${key}) OVER (ORDER BY p.${key}) FROM (SELECT * FROM `;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const wrong = (sentence: string): Problem => new Problem('unprocessable_content', sentence);

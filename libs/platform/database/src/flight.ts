import postgres, { type Connection, type QueryResultRow, type Submittable } from 'pg';
import { jsonReadyTypes } from './data-source';
import { LargeStatements, type RowBudget } from './row-budget';

/** What is asked of the database. One with a name is planned once a connection. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly name?: string | undefined;
  /** How much of the answer is read; else all of it. */
  readonly budget?: RowBudget | undefined;
  /** Its transaction ends with its flight: it is not done before the flight is. */
  readonly isAlone?: boolean;
}

export interface Answer<R extends QueryResultRow = QueryResultRow> {
  readonly rows: R[];
  /** How many rows it read or changed. */
  readonly rowCount: number;
  /** What was done, in the words of PostgreSQL: `SELECT`, `COMMIT` … */
  readonly command: string;
}

type Bound = string | Buffer | null;

/** The parts of the driver that its types leave out. */
interface Wire extends Pick<Connection, 'parse' | 'bind' | 'describe' | 'sync'> {
  execute(what: { readonly portal: string; readonly rows: number }, more: boolean): void;
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
}
const { prepareValue } = (postgres as typeof postgres & { readonly utils: { readonly prepareValue: (value: unknown) => Bound } }).utils;

/** One column of rows, as PostgreSQL describes it. */
interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** How the rows of a statement are read. */
class RowShape {
  static readonly NONE = new RowShape([]);
  private readonly names: readonly string[];
  private readonly parsers: readonly ((text: string) => unknown)[];
  private readonly blank: QueryResultRow;

  constructor(columns: readonly Column[]) {
    this.names = columns.map(({ name }) => name);
    this.parsers = columns.map(({ dataTypeID }) => jsonReadyTypes.getTypeParser(dataTypeID));
    this.blank = Object.fromEntries(this.names.map((name) => [name, null]));
  }

  read(values: readonly (string | null)[]): QueryResultRow {
    const row: QueryResultRow = { ...this.blank };
    for (let at = 0; at < values.length; at++) {
      const value = values[at];
      if (typeof value === 'string') row[this.names[at] ?? ''] = this.parsers[at]?.(value);
    }
    return row;
  }
}

let portals = 0;
const large = new LargeStatements();

/** One statement of a flight, and who waits for its answer; nobody does where the answer changes nothing. */
export class Asked {
  readonly text: string;
  readonly name: string | undefined;
  readonly values: readonly Bound[];
  readonly rows: QueryResultRow[] = [];
  readonly budget: RowBudget | undefined;
  readonly isAlone: boolean;
  /** Where PostgreSQL keeps what it has not answered yet, until the transaction ends; a nameless one lives as long as the flight. */
  readonly portal: string;
  shape: RowShape | undefined;
  /** PostgreSQL has answered a part, and waits to be asked for more. */
  isSuspended = false;
  /** Rows to ask for first; 0: all of them. */
  private readonly first: number;
  private tag = '';
  private fault: unknown;

  constructor(
    { text, name, values = [], budget, isAlone = false }: Statement,
    private readonly resolve: (answer: Answer) => void = () => undefined,
    readonly reject: (error: unknown) => void = () => undefined,
    /** Asks for more, by a flight of its own. */
    private readonly fetchNext: (asked: Asked) => void = () => undefined,
  ) {
    this.text = text;
    this.name = name;
    this.values = values.map(prepareValue);
    this.budget = budget;
    this.isAlone = isAlone;
    this.first = budget?.first(large.has(text)) ?? 0;
    this.portal = this.first > 0 ? `page${(portals = (portals + 1) % Number.MAX_SAFE_INTEGER)}` : '';
  }

  /** How many rows are asked for; 0: all. */
  get wanted(): number {
    return this.isSuspended ? (this.budget?.next ?? 0) : this.first;
  }

  addRow(fields: readonly (string | null)[], bytes: number): void {
    if (this.budget?.admits(bytes) === false) return;
    try {
      if (this.shape) this.rows.push(this.shape.read(fields));
    } catch (error) {
      this.spoil(error);
    }
  }

  setTag(tag: string): void {
    this.tag = tag;
  }

  /** A row of it cannot be read. */
  private spoil(error: unknown): void {
    this.fault ??= error;
  }

  settleAnswer(): void {
    if (this.fault !== undefined) return this.reject(this.fault);
    if (this.isSuspended && this.budget?.isCut === false) return this.fetchNext(this);
    if (this.budget) large.recordAnswer(this.text, this.budget);
    const end = this.tag.lastIndexOf(' ');
    const rowCount = Number(this.tag.slice(end + 1));
    this.resolve({ rows: this.rows, rowCount: Number.isNaN(rowCount) ? 0 : rowCount, command: this.tag.split(' ', 1)[0] ?? '' });
  }
}

/** What connections know of the rows of their prepared statements, so that these need not be described again. */
const shapes = new WeakMap<object, Map<string, RowShape>>();

/**
 * Statements that leave in one packet and are answered in one: the driver ends each of its own with a synchronization, for
 * which the server wakes this process. PostgreSQL runs none behind one that failed; those wait for nothing and hear of the
 * same error. The driver takes it for a query, whose methods it calls as the answers come.
 */
export class Flight implements Submittable {
  /** Statements that are answered already. */
  private answered = 0;
  private known = new Map<string, RowShape>();
  /** Those that the connection is preparing, in their order. */
  private readonly preparing: Asked[] = [];

  constructor(readonly statements: readonly Asked[]) {}

  /** What the driver notes as prepared when PostgreSQL says so. */
  get name(): string | undefined {
    return this.preparing[0]?.name;
  }

  get text(): string | undefined {
    return this.preparing[0]?.text;
  }

  submit(connection: Connection): null {
    const wire = connection as Connection & Wire;
    this.known = shapes.get(wire) ?? new Map<string, RowShape>();
    shapes.set(wire, this.known);
    wire.stream.cork();
    for (const statement of this.statements) this.write(wire, statement);
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    const statement = this.statements[this.answered];
    if (!statement) return;
    statement.shape = new RowShape(fields);
    if (statement.name !== undefined) this.known.set(statement.name, statement.shape);
  }

  handleDataRow({ fields, length }: { readonly fields: readonly (string | null)[]; readonly length: number }): void {
    this.statements[this.answered]?.addRow(fields, length);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const statement = this.next();
    if (!statement) return;
    statement.isSuspended = false;
    statement.setTag(text);
  }

  handlePortalSuspended(): void {
    const statement = this.next();
    if (statement) statement.isSuspended = true;
  }

  handleReadyForQuery(): void {
    for (const statement of this.statements) statement.settleAnswer();
  }

  /** Also called when the connection is lost. */
  handleError(error: unknown, connection: Wire): void {
    // PostgreSQL has not come to what comes after the first.
    for (const { name } of this.preparing) delete connection.submittedNamedStatements[name ?? ''];
    this.statements.forEach((statement, at) =>
      at < this.answered && !statement.isSuspended && !statement.isAlone ? statement.settleAnswer() : statement.reject(error),
    );
  }

  /** The statement whose answer has ended, or paused. */
  private next(): Asked | undefined {
    const statement = this.statements[this.answered++];
    if (statement && this.preparing[0] === statement) this.preparing.shift();
    if (statement?.name !== undefined && !statement.shape) this.known.set(statement.name, RowShape.NONE);
    return statement;
  }

  private write(connection: Wire, statement: Asked): void {
    const { name, text, portal } = statement;
    if (statement.isSuspended) {
      connection.execute({ portal, rows: statement.wanted }, true);
      return;
    }
    const isPrepared =
      name !== undefined && (connection.parsedStatements[name] !== undefined || connection.submittedNamedStatements[name] !== undefined);
    if (!isPrepared) {
      connection.parse({ text, name: name ?? '', types: [] }, true);
      if (name !== undefined) {
        connection.submittedNamedStatements[name] = text;
        this.preparing.push(statement);
      }
    }
    connection.bind({ portal, statement: name ?? '', values: statement.values as string[] }, true);
    statement.shape = name === undefined ? undefined : this.known.get(name);
    if (!statement.shape) connection.describe({ type: 'P', name: portal }, true);
    connection.execute({ portal, rows: statement.wanted }, true);
  }
}

// The driver lets nothing but its own queries share a connection: others might keep it waiting.
Object.setPrototypeOf(Flight.prototype, postgres.Query.prototype as object);

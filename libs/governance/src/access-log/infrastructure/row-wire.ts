/** Types of fields by the numbers PostgreSQL gave them for good. */
const [BOOL, INT8, INT4, TEXT, FLOAT8, TIMESTAMPTZ, UUID, UUIDS, JSONB] = [16, 20, 23, 25, 701, 1184, 2950, 2951, 3802] as const;

const WORD = 2 ** 32;
/** Moments are counted from the beginning of 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const UUID_BYTES = 16;
const ROOM = 64 * 1_024;
/** Rows come in batches of about the same length, so that what one took the next can take. */
const MOST_KEPT = 1_024 * 1_024;

type Absent = null | undefined;

/**
 * Rows as an array of a composite type in PostgreSQL's binary form, which it takes as it is; text it would read sign by
 * sign, once for the array and once for the row. Fields come in the order of the type, each row with all of them; an
 * absent one is null. Nothing is checked that PostgreSQL checks.
 */
export class WireRows {
  private bytes = Buffer.allocUnsafe(ROOM);
  private view = viewOf(this.bytes);
  private at = 0;

  constructor(private readonly columns: number) {}

  /** Begins an array of so many rows of a composite type, whose number differs from database to database. What was finished before must have been sent. */
  begin(type: number, count: number): void {
    if (this.bytes.length > MOST_KEPT) this.room(ROOM);
    this.at = 0;
    this.array(type, count);
  }

  /** A row, whose fields `write` puts. */
  writeRow(write: () => void): void {
    this.ensure(8);
    const begin = this.at;
    this.at += 4;
    this.int4(this.columns);
    write();
    this.view.setInt32(begin, this.at - begin - 4);
  }

  /** All rows, once the last is written. */
  finish(): Buffer {
    return this.bytes.subarray(0, this.at);
  }

  uuid(id: string | Absent): void {
    if (this.field(UUID, id === undefined || id === null ? -1 : UUID_BYTES)) this.id(id ?? '');
  }

  uuids(ids: ReadonlySet<string> | Absent): void {
    if (!ids) return void this.field(UUIDS, -1);
    this.field(UUIDS, 20 + ids.size * (4 + UUID_BYTES));
    this.array(UUID, ids.size);
    for (const id of ids) {
      this.int4(UUID_BYTES);
      this.id(id);
    }
  }

  text(text: string | Absent): void {
    if (text === undefined || text === null) return void this.field(TEXT, -1);
    this.field(TEXT, 0, text.length * 3);
    this.string(text, 0);
  }

  /** A value that is JSON already. */
  json(text: string | Absent): void {
    if (text === undefined || text === null) return void this.field(JSONB, -1);
    this.field(JSONB, 0, text.length * 3 + 1);
    this.bytes[this.at++] = 1;
    this.string(text, 1);
  }

  whole(value: number): void {
    if (this.field(INT4, 4)) this.int4(value);
  }

  large(value: number | Absent): void {
    if (this.field(INT8, value === undefined || value === null ? -1 : 8)) this.int8(value ?? 0);
  }

  real(value: number): void {
    this.field(FLOAT8, 8);
    this.view.setFloat64(this.at, value);
    this.at += 8;
  }

  flag(value: boolean): void {
    this.field(BOOL, 1);
    this.bytes[this.at++] = value ? 1 : 0;
  }

  moment(milliseconds: number): void {
    if (this.field(TIMESTAMPTZ, 8)) this.int8((milliseconds - EPOCH_MS) * 1_000);
  }

  /** Begins a field of so many bytes, or of up to `room`; false when it is null. */
  private field(type: number, length: number, room = length): boolean {
    this.ensure(room + 8);
    this.int4(type);
    this.int4(length);
    return length >= 0;
  }

  /** A list of one dimension, counted from one, without nulls. */
  private array(type: number, count: number): void {
    for (const word of [count > 0 ? 1 : 0, 0, type, ...(count > 0 ? [count, 1] : [])]) this.int4(word);
  }

  /** The text of a field that has begun, whose length becomes known with it. */
  private string(text: string, before: number): void {
    const written = this.bytes.write(text, this.at);
    this.view.setInt32(this.at - before - 4, written + before);
    this.at += written;
  }

  private id(text: string): void {
    for (let sign = 0; sign < text.length; sign += 2) {
      if (text.charCodeAt(sign) === HYPHEN) sign++;
      this.bytes[this.at++] = digit(text.charCodeAt(sign)) * 16 + digit(text.charCodeAt(sign + 1));
    }
  }

  private int4(value: number): void {
    this.view.setInt32(this.at, value);
    this.at += 4;
  }

  private int8(value: number): void {
    this.int4(Math.floor(value / WORD));
    this.int4(value % WORD);
  }

  private ensure(room: number): void {
    if (this.at + room <= this.bytes.length) return;
    this.room(Math.max(this.bytes.length * 2, this.at + room));
  }

  private room(length: number): void {
    const bytes = Buffer.allocUnsafe(length);
    this.bytes.copy(bytes, 0, 0, Math.min(this.at, length));
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}

const HYPHEN = 45;
const NINE = 57;

/** Of a hexadecimal digit in either case. */
const digit = (code: number): number => (code <= NINE ? code - 48 : (code | 32) - 87);

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);

import { DateFormat, invalidFields, type FieldFault } from '@atrium/platform/kernel';
import { Cells, type CellMapping } from './cells';
import type { CompiledForm } from './compiled-form';

/** What a column of a table says: a field by its key, one together with how its dates are written, or null for a column that is left out. */
type MappedColumn = string | { readonly field: string; readonly format: string } | null;
type ColumnMapping = Readonly<Record<string, MappedColumn>>;

/** A mapping as a client says it, taken apart. */
interface ReadMapping {
  readonly targets: CellMapping;
  readonly formats: ReadonlyMap<string, DateFormat>;
}

const MOMENTS: ReadonlySet<string> = new Set(['date', 'datetime']);

/** Takes a mapping apart; columns that are not mapped to a text, null or {field, format} are refused. `points`: targets that are points in time and no fields. */
export function readMapping(mapping: ColumnMapping, form: CompiledForm | null, points: readonly string[] = []): ReadMapping {
  const targets: Record<string, string | null> = {};
  const formats = new Map<string, DateFormat>();
  const faults: FieldFault[] = [];
  for (const [column, said] of Object.entries(mapping)) {
    const path = `mapping.${column}`;
    if (said === null || typeof said === 'string') {
      targets[column] = said;
      continue;
    }
    if (!isDated(said)) {
      faults.push({ path, code: 'type', message: 'must be a field, null, or {"field": …, "format": …} for a column of dates.' });
      continue;
    }
    const format = DateFormat.parse(said.format);
    const isMoment = points.includes(said.field) || MOMENTS.has(form?.field(said.field)?.type.name ?? '');
    targets[column] = said.field;
    if (!format)
      faults.push({
        path: `${path}.format`,
        code: 'format',
        message: 'must contain year, month and day once each, such as DD.MM.YYYY, or be unix.',
      });
    else if (!isMoment)
      faults.push({
        path: `${path}.format`,
        code: 'option',
        message: `is allowed only for dates and date-times; ${said.field} is neither.`,
      });
    else formats.set(column, format);
  }
  if (faults.length > 0) throw invalidFields(faults);
  return { targets, formats };
}

function isDated(said: unknown): said is { readonly field: string; readonly format: string } {
  if (typeof said !== 'object' || said === null) return false;
  const { field, format, ...others } = said as Record<string, unknown>;
  return typeof field === 'string' && typeof format === 'string' && Object.keys(others).length === 0;
}

/**
 * All columns of a table: what a client says of them, and for those that it does not name what their names say, unless the client gave that
 * to another column.
 */
export function wholeMapping(
  said: CellMapping,
  columns: readonly string[],
  suggest: (columns: readonly string[]) => CellMapping,
): Readonly<Record<string, string | null>> {
  const given = new Set(Object.values(said));
  const found = suggest(columns.filter((column) => !Object.hasOwn(said, column)));
  const others = Object.entries(found).map(([column, target]) => [column, given.has(target) ? null : target] as const);
  return { ...said, ...Object.fromEntries(others) };
}

/** As many columns as a refusal names. */
const MOST_NAMED = 100;

/**
 * Refuses columns whose names say nothing: a column is left out by mapping it to null alone, as `said` may do. What the service makes itself is
 * no such column.
 */
export function assertTaken(targets: CellMapping, form: CompiledForm | null, said: CellMapping): void {
  const left = Object.keys(targets).filter((column) => targets[column] === null && !Object.hasOwn(said, column));
  const made = form ? Cells.suggest(form, left) : {};
  const strange = left.filter((column) => form?.field(made[column] ?? column)?.type.readOnly !== true).slice(0, MOST_NAMED);
  if (strange.length > 0)
    throw invalidFields(
      strange.map((column) => ({
        path: `mapping.${column}`,
        code: 'unknown_column',
        message: `The column ${column} matches no field. Map it to a field, or to null to skip it.`,
      })),
    );
}

/** Faults of the cells of a row in columns that are neither mapped nor left out: later rows of JSON may have more than the first ones. */
export const strangeCells = (values: Readonly<Record<string, unknown>>, targets: CellMapping): FieldFault[] =>
  Object.entries(values).flatMap(([column, value]): FieldFault[] =>
    Object.hasOwn(targets, column) || value === null || value === ''
      ? []
      : [
          {
            path: column,
            code: 'unknown_column',
            message: `The column ${column} matches no field. Map it to a field, or to null to skip it.`,
          },
        ],
  );

import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { wholeSetting } from '@atrium/platform/settings';
import type { Field, FieldType } from '@atrium/forms';
import { listOf } from '../../domain/content-form';
import { checkKeys, checkText, type Steps, type ValueCheck } from '../../domain/value-check';
import { PlaceCheck } from './place-check';

const MOST_ROWS = 500;
const MOST_COLUMNS = 50;
const LONGEST_CELL = 5_000;

const boundOf = ({ settings }: Field, key: string, most: number): number => (typeof settings[key] === 'number' ? settings[key] : most);

/** A table of texts; every row has a cell for each column of the head. */
export const tableType: FieldType = {
  name: 'table',
  settings: { max_rows: wholeSetting({ min: 1, max: MOST_ROWS }), max_columns: wholeSetting({ min: 1, max: MOST_COLUMNS }) },
  holds: 'nested',
  isText: true,
  check(value, field, place) {
    const check = new PlaceCheck(field, place);
    const table = checkKeys(value, ['head', 'rows'], check);
    if (!table) return undefined;
    const [columns, most] = [boundOf(field, 'max_columns', MOST_COLUMNS), boundOf(field, 'max_rows', MOST_ROWS)];
    const head = checkCells(table.head ?? null, columns, check, ['head']);
    const rows = table.rows ?? [];
    if (!Array.isArray(rows)) return check.refuse(['rows'], 'type', 'must have a list of rows.');
    if (rows.length > most) return check.refuse(['rows'], 'length', `must have at most ${most} rows.`);
    const read = listOf(rows).map((row, at) => checkCells(row, columns, check, ['rows', at]));
    if (!head || read.includes(undefined)) return undefined;
    const ragged = read.findIndex((row) => row?.length !== head.length);
    if (ragged >= 0) return check.refuse(['rows', ragged], 'length', `must have ${head.length} cells in every row.`);
    return { head, rows: read.flatMap((row) => (row ? [row] : [])) };
  },
  fits: (value) => isObject(value) && Array.isArray(value.head) && Array.isArray(value.rows),
  schema: (field) => {
    const cells = {
      type: 'array',
      items: { type: 'string', maxLength: LONGEST_CELL },
      maxItems: boundOf(field, 'max_columns', MOST_COLUMNS),
    };
    return {
      type: 'object',
      properties: {
        head: { ...cells, minItems: 1 },
        rows: { type: 'array', items: cells, maxItems: boundOf(field, 'max_rows', MOST_ROWS) },
      },
      required: ['head'],
      additionalProperties: false,
    };
  },
  text: (value) =>
    linesOf(value)
      .map((cells) => cells.join(' '))
      .join('\n'),
  words: (value) =>
    linesOf(value)
      .map((cells) => cells.join(' '))
      .join('\n'),
  markdown(value) {
    const [head = [], ...rows] = linesOf(value).map((cells) => cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')));
    return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  },
};

function checkCells(value: JsonValue, most: number, check: ValueCheck, steps: Steps): readonly string[] | undefined {
  if (!Array.isArray(value)) return check.refuse(steps, 'type', 'must have a list of texts here.');
  if (value.length === 0 || value.length > most) return check.refuse(steps, 'length', `must have 1 to ${most} columns.`);
  const cells = listOf(value).map((cell, at) => checkText(cell, { longest: LONGEST_CELL, breaks: true, check, steps: [...steps, at] }));
  return cells.includes(undefined) ? undefined : cells.flatMap((cell) => cell ?? []);
}

const cellsOf = (value: JsonValue | undefined): readonly string[] => listOf(value).map((cell) => (typeof cell === 'string' ? cell : ''));

const linesOf = (value: JsonValue): readonly (readonly string[])[] => {
  const table: JsonObject = isObject(value) ? value : {};
  return [cellsOf(table.head), ...listOf(table.rows).map(cellsOf)];
};

import { isShownNumber, type JsonValue } from '@atrium/platform/kernel';
import type { TableRecord } from './records';

const SAMPLES = 3;
const LONGEST_SAMPLE = 200;

/** Some of the values of a column, as texts. */
export function samplesOf(rows: readonly TableRecord[], name: string): string[] {
  const texts = rows.flatMap(({ values }) => textOf(values[name]) ?? []);
  return [...new Set(texts)].slice(0, SAMPLES);
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (isShownNumber(value)) return value.shown.slice(0, LONGEST_SAMPLE);
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, LONGEST_SAMPLE);
}

import { readRecord } from './record';

/** Of those that part a text alike, the first: commas are in words and numbers, too. */
const CANDIDATES = ['\t', ';', '|', ','] as const;
/** Of a delimiter that is in some rows, but not in most of them. */
const RAGGED = 0.01;
const MOST_RECORDS = 50;
const SAMPLE_CELL = 16_384;

/** `sep=;`, with which a file declares its delimiter to spreadsheet programs; its line is not a row. */
export const DECLARED = /^sep=(.)\r?(?:\n|$)/i;

/**
 * The delimiter of a text: the one it declares, else the one that parts its first rows into the most columns, and as evenly as
 * possible. `whole`: the sample is all of it, so that its last row counts too.
 */
export function sniffDelimiter(sample: string, whole: boolean): string {
  const declared = DECLARED.exec(sample)?.[1];
  if (declared !== undefined) return declared;
  let best: { delimiter: string; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of CANDIDATES) {
    const score = evenness(columnCounts(sample, delimiter, whole));
    // Nothing but the comma is guessed from a few rows that other rows do not bear out.
    const isLikelier = delimiter === ',' && score === RAGGED ? best.score <= RAGGED : score > best.score;
    if (isLikelier) best = { delimiter, score };
  }
  return best.delimiter;
}

function columnCounts(sample: string, delimiter: string, whole: boolean): number[] {
  const counts: number[] = [];
  let at = 0;
  while (at < sample.length && counts.length < MOST_RECORDS) {
    const record = readRecord(sample, at, { delimiter, ended: whole, maxCell: SAMPLE_CELL });
    if (record.kind === 'incomplete') break;
    if (record.kind === 'row' && record.cells.some((cell) => cell !== '')) counts.push(record.cells.length);
    // A row that breaks under this delimiter speaks against it.
    if (record.kind === 'fault') counts.push(1);
    at = record.next;
  }
  return counts;
}

/** More columns are better; rows of another number of columns than most are worse. */
function evenness(counts: readonly number[]): number {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  const [usual = 1, rows = 0] = [...times].sort(([a, m], [b, n]) => n - m || b - a)[0] ?? [];
  if (usual < 2) return counts.some((count) => count > 1) ? RAGGED : 0;
  return (rows / counts.length) ** 2 * (1 + Math.log2(usual));
}

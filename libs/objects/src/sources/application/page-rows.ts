import type { CompiledForm } from '@atrium/forms';
import { LoopTurns } from '@atrium/platform/kernel';
import type { SourceMapping } from '../domain/source-mapping';
import type { SourceRow } from '../domain/source-row';
import type { NewSyncRow } from '../domain/sync-row';
import type { IdentifiedRow } from './row-comparison';

/** The rows of a page, sorted out. */
export interface PageRows {
  /** Each id once; of several rows with one id the last. */
  readonly identified: readonly IdentifiedRow[];
  /** Ids that came more than once on the page. */
  readonly twice: readonly NewSyncRow[];
  /** Rows that cannot be distinguished: without them nobody knows what is missing. */
  readonly unknown: readonly NewSyncRow[];
}

/** Sorts out the rows of a page, however many they are, in several turns of the event loop. */
export async function pageRows(rows: readonly SourceRow[], mapping: SourceMapping, form: CompiledForm): Promise<PageRows> {
  const identified = new Map<string, IdentifiedRow>();
  const twice: NewSyncRow[] = [];
  const unknown: NewSyncRow[] = [];
  const turns = new LoopTurns();
  for (const row of rows) {
    if (turns.isOver) await turns.awaitNextTurn();
    if (row.fault !== undefined) {
      unknown.push(failed(row.fault));
      continue;
    }
    const mapped = mapping.map(row.value, form);
    const { external_id } = mapped;
    if (external_id === null) {
      unknown.push(failed(mapped.faults.map(({ message }) => message).join(' ')));
      continue;
    }
    if (identified.delete(external_id))
      twice.push({ external_id, action: 'conflict', obj_id: null, error: 'The row occurred twice; the last occurrence was used.' });
    identified.set(external_id, { ...mapped, external_id });
  }
  return { identified: [...identified.values()], twice, unknown };
}

const failed = (error: string): NewSyncRow => ({ external_id: null, action: 'failed', obj_id: null, error });

import type { CompiledForm } from '@atrium/forms';
import type { JsonObject } from '@atrium/platform/kernel';
import type { SourceMapping } from '../domain/source-mapping';
import { pageRows } from './page-rows';

/** Takes a moment for each row. */
const mapping = {
  map: (row: JsonObject) => {
    for (const began = performance.now(); performance.now() - began < 1;);
    const id = row['id'] as number | null;
    return {
      external_id: id === null ? null : String(id),
      faults: id === null ? [{ path: 'id', code: 'required', message: 'No id.' }] : [],
    };
  },
} as unknown as SourceMapping;
const form = {} as CompiledForm;

describe('rows of a page', () => {
  it('are distinguished by their ids: the last of several counts, and what has none is unknown', async () => {
    const rows = [
      { value: { id: 1 } },
      { value: { id: 2 } },
      { value: { id: 1 } },
      { value: { id: null } },
      { value: null, fault: 'No row.' },
    ];
    const sorted = await pageRows(rows, mapping, form);
    expect(sorted.identified.map(({ external_id }) => external_id)).toEqual(['2', '1']);
    expect(sorted.twice.map(({ external_id }) => external_id)).toEqual(['1']);
    expect(sorted.unknown.map(({ error }) => error)).toEqual(['No id.', 'No row.']);
  });

  it('leave the event loop to others again and again, however many there are', async () => {
    let others = 0;
    const timer = setInterval(() => others++, 1);
    await pageRows(
      Array.from({ length: 400 }, (_, id) => ({ value: { id } })),
      mapping,
      form,
    );
    clearInterval(timer);
    expect(others).toBeGreaterThan(5);
  });
});

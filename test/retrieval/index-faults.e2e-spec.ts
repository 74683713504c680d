import { IndexRun } from '@atrium/retrieval';
import { ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { EMBEDDING, MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { startAtrium } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { NOTE, Notes, type Note } from './notes';

let api: RunningApi;
let server: ModelServer;
let notes: Notes;
let workspace: TestWorkspace;

/** No worker beside it: the runs are those of the tests. */
beforeAll(async () => {
  server = await ModelServer.start();
  api = await startAtrium({ ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS });
  notes = new Notes(api, [api.app]);
  workspace = await new Crediting(api).workspace(10_000);
  await provideModels(api, workspace, server, [{ ...EMBEDDING, model_default: true }]);
}, 120_000);
afterAll(async () => {
  await api.close();
  await server.stop();
});

interface Told {
  readonly heartbeat?: () => Promise<void>;
  /** This is the last try. */
  readonly last?: boolean;
}

const index = ({ id }: Note, { heartbeat = () => Promise.resolve(), last = false }: Told = {}): Promise<void> =>
  notes.in(workspace, () =>
    api.app.get(IndexRun, { strict: false }).indexSource(
      { kind: NOTE, id },
      {
        signal: new AbortController().signal,
        heartbeat,
        givesUpOn: () => Promise.resolve(last),
      },
    ),
  );

const sourceOf = async ({ id }: Note): Promise<{ source_status: string; source_error: string | null } | undefined> =>
  (
    await api.sql<{ source_status: string; source_error: string | null }>(
      'SELECT source_status, source_error FROM passage_source WHERE tenant_id = $1 AND source_id = $2',
      [workspace.tenant_id, id],
    )
  )[0];

/** Texts that nobody has embedded before. */
const sections = (boat: string): string =>
  Array.from({ length: 250 }, (_, at) => `# Section ${at}\n\nThe ${boat} ${at} lies at the berth ${at}.`).join('\n\n');

describe('a source that cannot be indexed', () => {
  it('waits while it is tried, and ends failed with a reason after its last try', async () => {
    const note = await notes.put(workspace, { markdown: 'A text of a store that is broken.' });
    const reading = jest.spyOn(notes, 'readText').mockRejectedValue(new Error('the store is broken'));
    await expect(index(note)).rejects.toThrow('the store is broken');
    expect(await sourceOf(note)).toMatchObject({ source_status: 'pending', source_error: null });
    await expect(index(note, { last: true })).rejects.toThrow('the store is broken');
    expect(await sourceOf(note)).toMatchObject({
      source_status: 'failed',
      source_error: expect.stringMatching(/^Indexing failed.*\.$/) as string,
    });
    reading.mockRestore();
    await notes.put(workspace, note);
    await index(note);
    expect(await sourceOf(note)).toMatchObject({ source_status: 'live', source_error: null });
  });

  it('ends failed at once where its text takes longer to read than it may', async () => {
    // Its reading takes by the square of its length: many times as long as it may, on whatever machine.
    const note = await notes.put(workspace, { markdown: '*a**b'.repeat(40_000) });
    await expect(index(note)).rejects.toThrow('took longer than 2 seconds');
    expect(await sourceOf(note)).toMatchObject({ source_status: 'failed', source_error: expect.stringContaining('took longer') as string });
  });

  it('holds no heading or word that the index of words cannot hold', async () => {
    const note = await notes.put(workspace, { markdown: `# ${'Harbour '.repeat(400)}\n\n${'x'.repeat(20_000)}\n` });
    await index(note);
    expect(await sourceOf(note)).toMatchObject({ source_status: 'live' });
    const [row] = await api.sql<{ longest: number }>(
      'SELECT max(length(psg_heading)) AS longest FROM passage WHERE tenant_id = $1 AND source_id = $2',
      [workspace.tenant_id, note.id],
    );
    expect(row?.longest).toBeLessThanOrEqual(500);
  });
});

describe('a run that indexes a source', () => {
  it.each([
    ['is removed', (note: Note) => notes.index.removeSource({ kind: NOTE, id: note.id })],
    ['is to have another text', (note: Note) => notes.put(workspace, { id: note.id, markdown: 'Another text.' })],
  ])('ends before the next batch when it %s', async (what, happens) => {
    const note = await notes.put(workspace, { markdown: sections(what) }, { target_tokens: 60, overlap_tokens: 0 });
    const before = server.embeddings.length;
    let beats = 0;
    await index(note, {
      heartbeat: async () => {
        if (beats++ === 0) await notes.in(workspace, async () => void (await happens(note)));
      },
    });
    expect(server.embeddings.length - before).toBe(1);
    expect(await notes.passages(workspace, note)).toEqual([]);
  });
});

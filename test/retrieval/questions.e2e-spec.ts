import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningApi } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
import { Notes } from './notes';

/**
 * How well questions with known answers are answered by the embedder that is built in. QUESTIONS_DIR names a folder of
 * question files; where it is not set there is nothing to ask.
 */
const FOLDER = process.env.QUESTIONS_DIR;
const ONLY = process.env.QUESTIONS_ONLY?.split(',');
const MODE = (process.env.QUESTIONS_MODE ?? 'hybrid') as 'hybrid' | 'text' | 'vector';

interface Questions {
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly questions: readonly { readonly question: string; readonly document: string; readonly start: number; readonly answer: string }[];
}

const files = FOLDER
  ? readdirSync(FOLDER).filter((name) => name.endsWith('.json') && (!ONLY || ONLY.includes(name.replace('.json', ''))))
  : [];

(files.length > 0 ? describe : describe.skip)('questions with known answers', () => {
  let api: RunningApi;
  let notes: Notes;

  beforeAll(async () => {
    api = await startAtrium();
    notes = new Notes(api, [api.app, await startWorker(api)]);
  });
  afterAll(() => api.close());

  it.each(files)(
    'are answered: %s',
    async (file) => {
      const { documents, questions } = JSON.parse(readFileSync(join(FOLDER ?? '', file), 'utf8')) as Questions;
      const workspace = await api.workspace();
      const ids = new Map<string, string>();
      for (const { id, title, text } of documents) ids.set(id, (await notes.put(workspace, { title, markdown: text })).id);
      const t0 = Date.now();
      await notes.settled(workspace);
      const t1 = Date.now();
      const ranks: number[] = [];
      for (const { question, document, start, answer } of questions) {
        const middle = start + answer.length / 2;
        const { data } = await notes.search(workspace, question, { mode: MODE });
        ranks.push(
          data.findIndex(
            ({ citation }) => citation.source_id === ids.get(document) && citation.char_start <= middle && middle < citation.char_end,
          ),
        );
      }
      const part = (k: number): string => (ranks.filter((rank) => rank >= 0 && rank < k).length / ranks.length).toFixed(3);
      const mrr = (ranks.reduce((sum, rank) => sum + (rank >= 0 ? 1 / (rank + 1) : 0), 0) / ranks.length).toFixed(3);
      process.stderr.write(
        `${file} h1 ${part(1)} h5 ${part(5)} h10 ${part(10)} mrr ${mrr} index ${t1 - t0}ms ${((Date.now() - t1) / ranks.length).toFixed(1)} ms a question\n`,
      );
    },
    1_800_000,
  );
});

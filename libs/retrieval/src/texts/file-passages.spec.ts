import type { FileSearchText } from '@atrium/files';
import type { Database } from '@atrium/platform/database';
import type { BackgroundJobs, Outbox } from '@atrium/platform/messaging';
import type { PassageIndex } from '../passages/application/passage-index';
import { FilePassages } from './file-passages';
import type { FileTextRepository } from './file-text.repository';
import type { TextRepositories } from './text-repositories';

const MANY = Array.from({ length: 1_000 }, (_, at) => `file-${at}`);

/** What was asked of the index: the number of files of each call. */
function watched() {
  const removed: [files: number, forGood: boolean][] = [];
  const index = {
    removeSource: () => removed.push([1, false]),
    removeAll: (_kind: string, ids: readonly string[], { forGood = false } = {}) => Promise.resolve(removed.push([ids.length, forGood])),
    indexSource: () => Promise.resolve(),
    setScopes: () => Promise.resolve(),
  };
  const text = { ft_version: 'h', ft_status: 'ready' };
  const texts = {
    lockTexts: () => Promise.resolve(),
    // The last 100 are no files any more.
    findScopedFiles: (ids: readonly string[]) =>
      Promise.resolve(ids.slice(0, -100).map((file_id) => ({ file_id, repo_type: 'docs', file_hash: 'h', text }))),
    deleteTexts: () => Promise.resolve([]),
  };
  const repositories = {
    // The first 500 are in a scope.
    findScopes: () => Promise.resolve(new Map(MANY.slice(0, 500).map((id) => [id, ['docs']]))),
    readChunkOptions: () => Promise.resolve(new Map()),
  };
  const passages = new FilePassages(
    {} as Database,
    texts as unknown as FileTextRepository,
    repositories as unknown as TextRepositories,
    index as unknown as PassageIndex,
    {} as FileSearchText,
    {} as Outbox,
    {} as BackgroundJobs,
  );
  return { passages, removed };
}

describe('passages of a thousand files', () => {
  it('are forgotten at once', async () => {
    const { passages, removed } = watched();
    await passages.forgetFiles(MANY);
    expect(removed).toEqual([[1_000, true]]);
  });

  it('are hidden at once', async () => {
    const { passages, removed } = watched();
    await passages.hideFiles(MANY);
    expect(removed).toEqual([[1_000, false]]);
  });

  it('go out of reach at once where the files are in no scope, or are no more', async () => {
    const { passages, removed } = watched();
    await passages.updateScopes(MANY);
    expect(removed).toEqual([[500, false]]);
  });
});

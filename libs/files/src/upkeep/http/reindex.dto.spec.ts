import { newId } from '@atrium/platform/kernel';
import { faultsOfBody } from '@atrium/platform/testing';
import { ReindexFiles } from './reindex.dto';

describe('the order to process files again', () => {
  it.each<[string, object, string, string]>([
    ['no file', { file_ids: [] }, 'file_ids', 'too_few'],
    ['a file that is not an id', { file_ids: ['x'] }, 'file_ids', 'uuid'],
    ['1,001 files', { file_ids: Array.from({ length: 1001 }, newId) }, 'file_ids', 'too_many'],
    ['an unknown repository', { repo_type: 'attic' }, 'repo_type', 'choice'],
    ['no step', { repo_type: 'media', steps: [] }, 'steps', 'too_few'],
    ['an unknown step', { repo_type: 'media', steps: ['smell'] }, 'steps', 'choice'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(ReindexFiles, body)).toMatchObject([{ path, code }]);
  });
});

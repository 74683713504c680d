import { newId } from '@atrium/platform/kernel';
import { faultsOfBody } from '@atrium/platform/testing';
import { AskForParts, OpenUpload } from './uploads.dto';

describe('a new upload', () => {
  it.each<[string, object, string, string]>([
    ['a name of 300 characters', { file_name: 'x'.repeat(300) }, 'file_name', 'too_long'],
    ['a hash of three characters', { file_hash: 'ABC' }, 'file_hash', 'pattern'],
    ['a workspace', { tenant_id: newId() }, 'tenant_id', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    const body = { file_repo: { library: ['media'] }, file_name: 'a.txt', file_size: 1, ...more };
    expect(await faultsOfBody(OpenUpload, body)).toMatchObject([{ path, code }]);
  });
});

describe('a question for parts of an upload', () => {
  it.each<[string, unknown, string]>([
    ['the part 0', [0], 'too_small'],
    ['a text as a part', ['1'], 'too_large'],
    ['half a part', [1.5], 'integer'],
    ['no part', [], 'too_few'],
    ['a word in the place of parts', 'x', 'too_large'],
    ['101 parts', Array.from({ length: 101 }, () => 1), 'too_many'],
  ])('is refused with %s', async (_, parts, code) => {
    expect(await faultsOfBody(AskForParts, { parts })).toMatchObject([{ path: 'parts', code }]);
  });
});

import { faultsOfQuery } from '@atrium/platform/testing';
import { ListFiles, SearchFiles } from './files.dto';

describe('a query of files', () => {
  it.each<[string, string, string, string]>([
    ['no repository', '', 'repo_type', 'required'],
    ['an unknown repository', 'repo_type=attic', 'repo_type', 'choice'],
    ['the repository of a form', 'repo_type=form', 'repo_type', 'choice'],
    ['a thread that is not an id', 'repo_type=thread&repo_id=x', 'repo_id', 'uuid'],
    ['an unknown parameter', 'repo_type=media&colour=red', 'colour', 'unknown_field'],
    ['metadata without a name', 'repo_type=media&file_metadata=x', 'file_metadata', 'object'],
    ['a file that is not an id', 'repo_type=media&file_id=x', 'file_id', 'uuid'],
    ['a word as its time', 'repo_type=media&file_created=yesterday', 'file_created', 'date_time'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(ListFiles, query)).toMatchObject([{ path, code }]);
  });
});

describe('a search for files', () => {
  it.each<[string, string, string, string]>([
    ['nothing in it', '', 'q', 'required'],
    ['no word', 'q=', 'q', 'too_short'],
    ['201 characters', `q=${'x'.repeat(201)}`, 'q', 'too_long'],
    ['a limit of 51', 'q=a&limit=51', 'limit', 'too_large'],
    ['a cursor', 'q=a&cursor=x', 'cursor', 'unknown_field'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(SearchFiles, query)).toMatchObject([{ path, code }]);
  });
});

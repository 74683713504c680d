import { ListLibrary } from '@atrium/files';
import { COLOR_FORM } from '@atrium/platform/database';
import { acceptParameter } from '@atrium/platform/http';
import type { MediaFilters } from '../application/media-query';

const KINDS = ['image', 'video', 'audio', 'document', 'font', 'archive', 'other'] as const;

const list = (items: object, description: string): object => ({ type: 'array', items, maxItems: 200, description });
const IDS = { type: 'string', format: 'uuid' };
const TAGS = { type: 'string', maxLength: 255 };

/** The query class of one view of the library: paging, the declared filters of files, and the library's own. */
export function LibraryQuery({
  album = true,
  likeness = false,
}: { readonly album?: boolean; readonly likeness?: boolean } = {}): new () => MediaFilters {
  class Query extends ListLibrary {}
  acceptFilters(Query, album);
  if (likeness) acceptLikeness(Query);
  return Query as new () => MediaFilters;
}

function acceptFilters(owner: Function, album: boolean): void {
  if (album)
    acceptParameter(
      owner,
      { name: 'album', kind: 'id' },
      { type: 'string', format: 'uuid', description: 'Is in this album; of a smart album, among the files that it shows now.' },
    );
  acceptParameter(
    owner,
    { name: 'album_any', kind: 'ids', min: 1, max: 200 },
    list(IDS, 'Is in any of these curated albums; repeat the parameter.'),
  );
  acceptParameter(
    owner,
    { name: 'no_album', kind: 'flag' },
    { type: 'boolean', description: 'True: in no album that the caller may read; false: in one at least.' },
  );
  acceptParameter(owner, { name: 'person', kind: 'ids', min: 1, max: 200 }, list(IDS, 'Shows this person; repeated: each of them.'));
  acceptParameter(
    owner,
    { name: 'tag', kind: 'texts', min: 1, max: 200 },
    list(TAGS, 'Bears this tag, `Group:Value`, or any of a group, `Group`; repeated: each of them.'),
  );
  acceptParameter(
    owner,
    { name: 'tag_any', kind: 'texts', min: 1, max: 200 },
    list(TAGS, 'Bears any of these tags, `Group:Value`; repeat the parameter.'),
  );
  acceptParameter(
    owner,
    { name: 'kind', kind: 'choice', values: KINDS },
    { type: 'string', enum: [...KINDS], description: 'Kind of the file.' },
  );
  acceptParameter(
    owner,
    { name: 'file_format', kind: 'text', min: 1, max: 17, form: { pattern: /^\.?[A-Za-z0-9]+$/, words: 'an extension such as jpg' } },
    { type: 'string', maxLength: 17, pattern: '^\\.?[A-Za-z0-9]+$', description: 'Extension of the name, such as `jpg`.' },
  );
  acceptParameter(owner, { name: 'favorite', kind: 'flag' }, { type: 'boolean', description: 'Whether the caller marked it.' });
  acceptParameter(
    owner,
    { name: 'taken', kind: 'texts', min: 1, max: 2 },
    {
      type: 'array',
      items: { type: 'string', format: 'date-time' },
      maxItems: 2,
      description:
        'When it was taken by the clock of the camera, else added (UTC). One value: from; two: an inclusive range. A zone that is written there is left out: the clocks are compared.',
    },
  );
  acceptParameter(
    owner,
    { name: 'has_faces', kind: 'flag' },
    { type: 'boolean', description: 'Whether faces were found in it or marked on it.' },
  );
  acceptParameter(
    owner,
    { name: 'has_consent_issue', kind: 'flag' },
    { type: 'boolean', description: 'Whether it shows somebody who refused to be shown, or whose consent has ended.' },
  );
  acceptParameter(
    owner,
    { name: 'q', kind: 'text', min: 1, max: 500 },
    {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Words of its name, summary, tags, analysis or text; quotes, `or` and `-` as in a web search.',
    },
  );
  acceptParameter(
    owner,
    { name: 'color', kind: 'text', form: COLOR_FORM },
    { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$', description: 'One of its main colors is near to this one.' },
  );
  acceptParameter(
    owner,
    { name: 'query', kind: 'text', min: 2, max: 4_096 },
    {
      type: 'string',
      maxLength: 4_096,
      description: 'A query of the search language as JSON, at most 4 KB.',
      example: '{"where":{"field":"kind","op":"eq","value":"image"}}',
    },
  );
  acceptParameter(
    owner,
    { name: 'saved_search', kind: 'id' },
    { type: 'string', format: 'uuid', description: 'Matches this saved search of the media library.' },
  );
  acceptParameter(
    owner,
    { name: 'file_metadata', kind: 'json' },
    { type: 'object', additionalProperties: true, description: 'Exact matches on metadata: `file_metadata[project]=harbour`.' },
  );
}

/** The ways of asking for what resembles something. */
function acceptLikeness(owner: Function): void {
  acceptParameter(
    owner,
    { name: 'embedding_search', kind: 'text', min: 1, max: 500 },
    {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description:
        'What it is about, in words of your own; the nearest first, 1,000 at most. The header `X-Search-Mode` says `meaning`, or `text` where only the words could be searched.',
    },
  );
  acceptParameter(
    owner,
    { name: 'similarityThreshold', kind: 'number', min: 0, max: 1 },
    { type: 'number', minimum: 0, maximum: 1, default: 0.2, description: 'Similarity below which files are left out.' },
  );
  acceptParameter(
    owner,
    { name: 'similar_to', kind: 'id' },
    { type: 'string', format: 'uuid', description: 'Looks like this picture; the most alike first, 1,000 at most.' },
  );
}

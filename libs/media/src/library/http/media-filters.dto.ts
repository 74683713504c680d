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
      { type: 'string', format: 'uuid', description: 'Only files in this album; for a smart album, files that it shows now.' },
    );
  acceptParameter(
    owner,
    { name: 'album_any', kind: 'ids', min: 1, max: 200 },
    list(IDS, 'Only files in any of these curated albums. Repeat the parameter for several.'),
  );
  acceptParameter(
    owner,
    { name: 'no_album', kind: 'flag' },
    {
      type: 'boolean',
      description: '`true`: only files in none of the albums that you may read. `false`: only files in at least one of them.',
    },
  );
  acceptParameter(
    owner,
    { name: 'person', kind: 'ids', min: 1, max: 200 },
    list(IDS, 'Only files that show this person. If repeated, files that show all of them.'),
  );
  acceptParameter(
    owner,
    { name: 'tag', kind: 'texts', min: 1, max: 200 },
    list(TAGS, 'Only files with this tag, `Group:Value`, or any tag of a group, `Group`. If repeated, files with all of them.'),
  );
  acceptParameter(
    owner,
    { name: 'tag_any', kind: 'texts', min: 1, max: 200 },
    list(TAGS, 'Only files with any of these tags, `Group:Value`. Repeat the parameter for several.'),
  );
  acceptParameter(
    owner,
    { name: 'kind', kind: 'choice', values: KINDS },
    { type: 'string', enum: [...KINDS], description: 'Kind of file.' },
  );
  acceptParameter(
    owner,
    { name: 'file_format', kind: 'text', min: 1, max: 17, form: { pattern: /^\.?[A-Za-z0-9]+$/, words: 'an extension such as jpg' } },
    { type: 'string', maxLength: 17, pattern: '^\\.?[A-Za-z0-9]+$', description: 'Extension of the file name, such as `jpg`.' },
  );
  acceptParameter(
    owner,
    { name: 'favorite', kind: 'flag' },
    { type: 'boolean', description: 'Whether the file is one of your favorites.' },
  );
  acceptParameter(
    owner,
    { name: 'taken', kind: 'texts', min: 1, max: 2 },
    {
      type: 'array',
      items: { type: 'string', format: 'date-time' },
      maxItems: 2,
      description:
        'Capture time by the clock of the camera, otherwise the time the file was added (UTC). One value: from that time on. Two values: an inclusive range. Time zone offsets are ignored: local times are compared.',
    },
  );
  acceptParameter(
    owner,
    { name: 'has_faces', kind: 'flag' },
    { type: 'boolean', description: 'Whether the file has detected or marked faces.' },
  );
  acceptParameter(
    owner,
    { name: 'has_consent_issue', kind: 'flag' },
    { type: 'boolean', description: 'Whether the file shows a person who refused consent or whose consent has ended.' },
  );
  acceptParameter(
    owner,
    { name: 'q', kind: 'text', min: 1, max: 500 },
    {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Searches name, summary, tags, analysis and text. Supports quotes, `or` and `-`.',
    },
  );
  acceptParameter(
    owner,
    { name: 'color', kind: 'text', form: COLOR_FORM },
    { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$', description: 'Only files with a main color close to this one.' },
  );
  acceptParameter(
    owner,
    { name: 'query', kind: 'text', min: 2, max: 4_096 },
    {
      type: 'string',
      maxLength: 4_096,
      description: 'Query of the search language as JSON; at most 4 KB.',
      example: '{"where":{"field":"kind","op":"eq","value":"image"}}',
    },
  );
  acceptParameter(
    owner,
    { name: 'saved_search', kind: 'id' },
    { type: 'string', format: 'uuid', description: 'Only files that match this saved search of the media library.' },
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
        'Searches by meaning; at most 1,000 files, most similar first. The header `X-Search-Mode` is `meaning`, or `text` if only a text search was possible.',
    },
  );
  acceptParameter(
    owner,
    { name: 'similarityThreshold', kind: 'number', min: 0, max: 1 },
    { type: 'number', minimum: 0, maximum: 1, default: 0.2, description: 'Minimum similarity.' },
  );
  acceptParameter(
    owner,
    { name: 'similar_to', kind: 'id' },
    { type: 'string', format: 'uuid', description: 'Only files that look like this picture; at most 1,000, most similar first.' },
  );
}

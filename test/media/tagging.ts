import { eventually, type Client } from '@atrium/platform/testing';

/** A file as the library shows it. */
export interface TaggedFile {
  readonly file_id: string;
  readonly file_status: string;
  readonly file_updated: string;
  readonly media_tags: Readonly<Record<string, readonly string[]>>;
}

let made = 0;

/** A small file of a library, ready at once. */
export async function note(client: Client, library: 'media' | 'docs' = 'media', file_name = `note-${++made}.md`): Promise<string> {
  return (await client.post('/files', { file_repo: { library: [library] }, file_name }).expect(201)).body.file_id as string;
}

export const notes = (client: Client, count: number, library: 'media' | 'docs' = 'media'): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => note(client, library)));

export const setTags = (client: Client, file_id: string, media_tags: object): ReturnType<Client['put']> =>
  client.put(`/files/${file_id}/media-tags`, { media_tags });

/** The tags of a file, by setting none and reading none: as the listing of the library shows them. */
export async function tagsOf(client: Client, file_id: string): Promise<TaggedFile['media_tags']> {
  return (await client.get(`/media-files/${file_id}`).expect(200)).body.media_tags as TaggedFile['media_tags'];
}

export async function makeGroup(client: Client, facts: object): Promise<string> {
  return (await client.post('/admin/media-tag-groups', facts).expect(201)).body.mtg_id as string;
}

export async function makeTag(client: Client, facts: object): Promise<string> {
  return (await client.post('/media-tags', facts).expect(201)).body.mt_id as string;
}

export async function tagNamed(
  client: Client,
  value: string,
): Promise<{ readonly mt_id: string; readonly mt_group: string; readonly mt_file_count: number }> {
  const { data } = (await client.get(`/media-tags?mt_value=${encodeURIComponent(value)}`).expect(200)).body as {
    data: { mt_id: string; mt_value: string; mt_group: string; mt_file_count: number }[];
  };
  const found = data.find(({ mt_value }) => mt_value === value);
  if (!found) throw new Error(`There is no tag ${value}.`);
  return found;
}

/** The job once it has ended. */
export const endedJob = async (
  client: Client,
  location: string,
): Promise<{ readonly status: string; readonly done: number; readonly failed: number; readonly errors: readonly object[] }> =>
  eventually(
    async () =>
      (await client.get(location.replace('/api/v1', '')).expect(200)).body as {
        status: string;
        done: number;
        failed: number;
        errors: object[];
      },
    ({ status }) => ['completed', 'partial', 'failed'].includes(status),
    60_000,
  );

export async function foundBy(client: Client, sq_query: object, sq_scope: 'media' | 'docs' = 'media'): Promise<string[]> {
  const { data } = (await client.post('/saved-searches/preview', { sq_scope, sq_query, limit: 50 }).expect(200)).body as {
    data: { file_id: string }[];
  };
  return data.map(({ file_id }) => file_id).sort();
}

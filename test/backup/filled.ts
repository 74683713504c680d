import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { settled, upload } from '../files/uploading';
import { published } from '../distribution/publishing';
import { picture, shareLink } from '../distribution/sharing';

/** What a filled workspace holds, by which it is known again. */
export interface Filled {
  readonly workspace: TestWorkspace;
  readonly picture: string;
  readonly text: string;
  readonly album: string;
}

/** Fills a workspace through the API: files with renditions and colors, albums, tags, a share, a publication, people, usage, audit. */
export async function fill(api: RunningApi, name: string): Promise<Filled> {
  const workspace = await api.workspace(['module-publication']);
  const { client } = workspace.owner;
  await workspace.member('editor');
  const { file_id } = await picture(workspace, `${name}.jpg`, name.length);
  const note = await upload(
    client,
    `${name} note.txt`,
    Buffer.from(`The harbour of ${name}, with "quotes", \\backslashes\\ and\ttabs\nüñ😀`),
  );
  const text = await settled(client, note.file_id);
  const { album_id } = (await client.post('/albums', { album_name: `Album ${name}` }).expect(201)).body as { album_id: string };
  await client.post('/albums', { album_name: 'Below', album_parent: album_id }).expect(201);
  await client.post(`/albums/${album_id}/files`, { file_ids: [file_id, text.file_id] }).expect(200);
  const link = await shareLink(client, { share_type: 'files', share_file_ids: [file_id] });
  await fetch(link.share_url);
  await published(client, file_id);
  await client.delete(`/files/${text.file_id}`);
  await client.post(`/files/${text.file_id}/restore`);
  return { workspace, picture: file_id, text: text.file_id, album: album_id };
}

/** Waits until nothing is under way that would write another row. */
export async function quiet(api: RunningApi): Promise<void> {
  const open =
    "SELECT count(*)::int AS open FROM outbox WHERE ev_kind = 'job' AND ev_done IS NULL AND ev_parked IS NULL AND ev_due < now()";
  await eventually(
    () => api.sql<{ open: number }>(open).then((rows) => rows[0]?.open),
    (count) => count === 0,
    60_000,
  );
}

// An album with the files in it.
import { say } from '../console/steps.mjs';

const AT_ONCE = 10_000;

export async function makeAlbum(api, files) {
  const album = await api.post('/albums', {
    album_name: `Tour of ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`,
    album_description: 'Made by npm run tour.',
  });
  for (let from = 0; from < files.length; from += AT_ONCE)
    await api.post(`/albums/${album.album_id}/files`, { file_ids: files.slice(from, from + AT_ONCE).map((file) => file.file_id) });
  const read = await api.get(`/albums/${album.album_id}`);
  if (read.album_file_count !== files.length)
    throw new Error(`The album contains ${read.album_file_count} files instead of ${files.length}.`);
  say(
    `   “${read.album_name}” with ${read.album_file_count} files, cover ${read.album_cover_preview ? `${read.album_cover_preview.width}×${read.album_cover_preview.height}` : 'none'}`,
  );
  return read;
}

// The list of a repository: narrowed by a filter, page by page with the cursor.
import { say } from '../console/steps.mjs';

const MOST_PAGES = 1_000;

/** Finds every one of the files in the list of those added since the oldest of them. */
export async function listAgain(api, files) {
  const since = files.map((file) => file.file_created).sort()[0];
  const limit = Math.min(1_000, Math.max(2, Math.ceil(files.length / 3)));
  const query = new URLSearchParams({ repo_type: 'media', file_created: since, sort: 'file_name', limit: String(limit) });
  const missing = new Set(files.map((file) => file.file_id));
  let [pages, rows, cursor] = [0, 0, null];
  do {
    if (cursor) query.set('cursor', cursor);
    const page = await api.get(`/files?${query}`);
    pages += 1;
    rows += page.data.length;
    for (const row of page.data) missing.delete(row.file_id);
    cursor = page.next_cursor;
  } while (cursor && missing.size > 0 && pages < MOST_PAGES);
  if (missing.size > 0) throw new Error(`${missing.size} of the files are not in the list.`);
  say(`   ${rows} rows since ${since} on ${pages} page${pages === 1 ? '' : 's'} of ${limit}`);
}

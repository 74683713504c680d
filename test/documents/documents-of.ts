import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload, type StoredFile } from '../files/uploading';

/** A document as tests of texts and searches read it. */
export interface ReadDocument {
  readonly file_id: string;
  readonly markdown_ready: boolean;
  readonly file_text_status: string;
  readonly file_text_error: string | null;
  readonly file_text_truncated: boolean;
  readonly file_language: string | null;
  readonly file_pages: number | null;
}

export const DOCS = { file_repo: { library: ['docs'] } };

export const uploadDocument = (client: Client, name: string, bytes: Buffer | string): Promise<StoredFile> =>
  upload(client, name, Buffer.from(bytes as string), DOCS);

/** The document once its text was read, whatever came of it: after every try, with the pauses between them, on a machine that is busy. */
export const readText = (client: Client, file_id: string): Promise<ReadDocument> =>
  eventually(
    async () => (await client.get(`/documents/${file_id}`).expect(200)).body as ReadDocument,
    ({ file_text_status }) => file_text_status !== 'pending' && file_text_status !== 'running',
    300_000,
  );

export const markdownOf = async (client: Client, file_id: string): Promise<string> =>
  (await client.get(`/documents/${file_id}/markdown?inline=true`).expect(200)).body.markdown as string;

/** Until nothing of the workspace waits to be read or indexed. */
export async function indexed(api: RunningApi, { tenant_id }: TestWorkspace): Promise<void> {
  await eventually(
    () =>
      api.sql<{ open: number }>(
        `SELECT (SELECT count(*) FROM file WHERE tenant_id = $1 AND file_processing = 'pending')::integer
           + (SELECT count(*) FROM file_text WHERE tenant_id = $1 AND ft_status IN ('pending', 'running'))::integer
           + (SELECT count(*) FROM passage_source WHERE tenant_id = $1 AND source_status = 'pending')::integer AS open`,
        [tenant_id],
      ),
    ([row]) => row?.open === 0,
    90_000,
  );
}

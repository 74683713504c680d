import { eventually, type Client } from '@atrium/platform/testing';

export interface Uploaded {
  readonly upl_id: string;
  readonly upl_url: string;
  readonly upl_method: 'PUT';
  readonly upl_headers: Record<string, string>;
  readonly upl_parts: readonly { readonly part: number; readonly upl_url: string; readonly upl_headers: Record<string, string> }[];
  readonly upl_part_size: number;
}

export interface StoredFile {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_type: string;
  readonly file_hash: string | null;
  readonly file_size: number;
  readonly file_processing: string;
  readonly file_replicas: string;
  readonly file_version: number;
  readonly file_metadata: { readonly system?: Record<string, unknown> };
}

export const MEDIA = { library: ['media'] };

export const send = (
  link: { readonly upl_url: string; readonly upl_headers: Record<string, string> },
  bytes: Uint8Array,
): Promise<Response> => fetch(link.upl_url, { method: 'PUT', headers: link.upl_headers, body: Buffer.from(bytes) });

export async function openUpload(
  client: Client,
  wanted: { readonly file_name: string; readonly file_size: number } & Record<string, unknown>,
): Promise<Uploaded> {
  return (await client.post('/uploads', { file_repo: MEDIA, ...wanted }).expect(201)).body as Uploaded;
}

/** Opens an upload and sends its bytes; not finalized. */
export async function sendUpload(
  client: Client,
  file_name: string,
  bytes: Uint8Array,
  more: Record<string, unknown> = {},
): Promise<Uploaded> {
  const upload = await openUpload(client, { file_name, file_size: bytes.length, ...more });
  expect((await send(upload, bytes)).status).toBe(200);
  return upload;
}

/** The whole way of a new file; not waited for. */
export async function upload(
  client: Client,
  file_name: string,
  bytes: Uint8Array,
  more: Record<string, unknown> = {},
): Promise<StoredFile> {
  const { upl_id } = await sendUpload(client, file_name, bytes, more);
  return (await client.post(`/uploads/${upl_id}/finalize`)).body as StoredFile;
}

export const readFile = async (client: Client, file_id: string): Promise<StoredFile> =>
  (await client.get(`/files/${file_id}`).expect(200)).body as StoredFile;

/** The file once its bytes were read. */
export const settled = (client: Client, file_id: string): Promise<StoredFile> =>
  eventually(
    () => readFile(client, file_id),
    (file) => file.file_processing !== 'pending',
    60_000,
  );

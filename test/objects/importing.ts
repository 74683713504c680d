import { newId } from '@atrium/platform/kernel';
import { eventually, type Client } from '@atrium/platform/testing';
import { MEDIA, upload } from '../files/uploading';

/** A background job as /jobs answers it. */
export interface JobAnswer {
  readonly job_id: string;
  readonly status: string;
  readonly done: number;
  readonly failed: number;
  readonly total: number | null;
  readonly error: string | null;
  readonly result: ImportResult | null;
}

export interface ImportResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly errors: readonly { readonly row: number; readonly column: string; readonly message: string }[];
}

export const endedJob = (client: Client, job_id: string, withinMs = 120_000): Promise<JobAnswer> =>
  eventually(
    async () => (await client.get(`/jobs/${job_id}`).expect(200)).body as JobAnswer,
    ({ status }) => ['completed', 'partial', 'failed', 'cancelled'].includes(status),
    withinMs,
  );

/** An import, and its job when it has ended. */
export async function imported(client: Client, body: object): Promise<JobAnswer> {
  const { job_id } = (await client.post('/objects/import', body).expect(202)).body as JobAnswer;
  return endedJob(client, job_id);
}

export const schemaOf = async (client: Client, fields: readonly object[], more: object = {}): Promise<string> =>
  (
    (await client.post('/object-schemas', { form_name: `Schema ${newId()}`, form_config: { fields, ...more } }).expect(201)).body as {
      form_id: string;
    }
  ).form_id;

/** A file of the library, once its bytes are taken in. */
export async function tableFile(client: Client, name: string, bytes: Uint8Array): Promise<string> {
  const { file_id } = await upload(client, name, bytes, { file_repo: MEDIA });
  await eventually(
    async () => (await client.get(`/files/${file_id}`).expect(200)).body as { file_processing: string },
    ({ file_processing }) => file_processing === 'ready',
    60_000,
  );
  return file_id;
}

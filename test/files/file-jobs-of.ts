import { eventually, type Client } from '@atrium/platform/testing';

export interface FileJobAnswer {
  readonly job_id: string;
  readonly job_kind: string;
  readonly status: string;
  readonly done: number;
  readonly failed: number;
  readonly total: number | null;
  readonly error: string | null;
  readonly waits_for: string | null;
  readonly result: { readonly file_id?: string } | null;
  readonly errors: readonly { readonly file_id: string | null; readonly code: string }[];
}

export const readJob = async (client: Client, job_id: string): Promise<FileJobAnswer> =>
  (await client.get(`/file-jobs/${job_id}`).expect(200)).body as FileJobAnswer;

/** The job once it is at rest. */
export const endedJob = (client: Client, job_id: string): Promise<FileJobAnswer> =>
  eventually(
    () => readJob(client, job_id),
    ({ status }) => status !== 'queued' && status !== 'running',
    240_000,
  );

import { eventually, type Client } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { ended, type KnowledgeJobAnswer } from './filling';

/** Uploads a table into a base for an import, and waits until it is taken in. */
export async function tableOf(client: Client, ds_id: string, file_name: string, bytes: Uint8Array): Promise<string> {
  const { file_id } = await upload(client, file_name, bytes, { file_repo: { ds: ds_id }, file_metadata: { purpose: 'import' } });
  await eventually(
    async () => (await client.get(`/files/${file_id}`).expect(200)).body as { file_processing: string },
    ({ file_processing }) => file_processing === 'ready',
    30_000,
  );
  return file_id;
}

/** An import, and its job when it has ended. */
export async function imported(client: Client, ds_id: string, body: object): Promise<KnowledgeJobAnswer> {
  const { job_id } = (await client.post(`/knowledge-bases/${ds_id}/records/import`, body).expect(202)).body as { job_id: string };
  return ended(client, ds_id, job_id);
}
